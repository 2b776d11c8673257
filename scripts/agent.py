"""Talks to `binder mcp` and `binder serve --mcp` with the official Python client: lists the tools,
calls each, sends bad arguments, and then calls for a while and looks at the memory.

Usage: agent.py BINDER CALLS [PLACER]
"""

import re
import subprocess
import sys
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

BINDER, CALLS = sys.argv[1], int(sys.argv[2])
PLACER = sys.argv[3:4]
SOURCE = "wordnet-animals"

# A call of each tool, and what its answer has.
ANSWERS = [
    ("is_a", {"child": "dogs", "parent": "canine.n.02"}, r"understood dogs: dog\.n\.01.*\nyes: dog"),
    ("is_a", {"child": "canine.n.02", "parent": "dog.n.01"}, r"no: canine\.n\.02 is not dog"),
    ("is_a", {"pairs": [["puppy.n.01", "dog.n.01"], ["zzz", "dog.n.01"]]}, r"yes: .*\nunknown: zzz"),
    ("search", {"text": "retreiver", "limit": 3}, r"^retriever\.n\.01"),
    ("describe", {"concept": "dog.n.01"}, r"is a: .*canine\.n\.02"),
    ("hypernyms", {"concept": "dog.n.01", "nearest": True}, r"2 parents"),
    ("hyponyms", {"concept": "dog.n.01", "limit": 5}, r'189 hyponyms(.|\n)*cursor "after-5"'),
    ("hyponyms", {"concept": "dog.n.01", "limit": 5, "cursor": "after-185"}, r"189 hyponyms"),
    ("join", {"concepts": ["dog.n.01", "wolf.n.01"]}, r"canine\.n\.02"),
    ("explain", {"child": "dog.n.01", "parent": "canine.n.02"}, r"yes: dog\.n\.01 is-a"),
    ("expression", {"text": "dog.n.01 & pup.n.01"}, r"1 concept\n  puppy\.n\.01"),
    ("nearest", {"concept": "dog.n.01", "by": "path", "limit": 3}, r"by path\n"),
]
# What is wrong, and what the answer says about it.
REFUSALS = [
    ("is_a", {}, "give child and parent, or pairs"),
    ("is_a", {"child": "dgo.n.01", "parent": "dog.n.01"}, "is it dog.n.01"),
    ("describe", {}, "missing field `concept`"),
    ("describe", {"concept": "dog.n.01", "colour": "red"}, "unknown field `colour`"),
    ("hyponyms", {"concept": "dog.n.01", "limit": "many"}, "invalid type"),
    ("hyponyms", {"concept": "dog.n.01", "limit": 0}, "from 1 to 1000"),
    ("hyponyms", {"concept": "dog.n.01", "cursor": "x"}, "is not what an answer gave as next"),
    ("expression", {"text": "dog.n.01 &"}, "column"),
    ("nearest", {"concept": "dog.n.01", "by": "feeling"}, "unknown variant `feeling`"),
    ("join", {"concepts": ["dog.n.01"]}, "two or more"),
    ("search", {"text": "dog", "model": "nobody"}, "no model is called"),
]


def text(result):
    """The text of a result."""
    return "".join(block.text for block in result.content)


async def check_tools(client, calls):
    """Lists the tools and calls each of them rightly and wrongly."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    wanted = {name for name, _, _ in calls}
    assert set(tools) == wanted, f"the tools are {sorted(tools)}"
    for tool in tools.values():
        assert tool.description and tool.input_schema["type"] == "object", tool
    for name, arguments, pattern in calls:
        result = await client.call_tool(name, arguments)
        said = text(result)
        assert not result.is_error and re.search(pattern, said), f"{name}: {said}"
    for name, arguments, part in REFUSALS:
        result = await client.call_tool(name, arguments)
        assert result.is_error and part in text(result), f"{name} {arguments}: {text(result)}"
    try:
        await client.call_tool("fly", {})
    except MCPError as error:
        assert "no tool is called" in str(error), error
    else:
        raise AssertionError("there is no tool fly")


def memory(parent):
    """The resident memory of binder, a child of this process, in kB."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    status = Path(f"/proc/{children[-1]}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


async def check_growth(client):
    """Calls many times; the memory stays."""
    import os

    async def call(count):
        for number in range(count):
            name, arguments, _ = ANSWERS[number % len(ANSWERS)]
            await client.call_tool(name, arguments)

    await call(max(CALLS // 5, 100))
    before = memory(os.getpid())
    await call(CALLS)
    after = memory(os.getpid())
    print(f"{CALLS:,} calls: {before / 1024:.1f} MB before, {after / 1024:.1f} MB after")
    assert after < before * 1.05 + 2048, "the memory grew"


async def over_standard_streams():
    """`binder mcp`, with a placer if there is one."""
    place = ["--place", *PLACER] if PLACER else []
    calls = ANSWERS.copy()
    if PLACER:
        unseen = {"name": "labradoodle", "definition": "a dog, a cross of two breeds"}
        calls.append(("place", unseen, r"labradoodle\n +\d"))
    parameters = StdioServerParameters(command=BINDER, args=["mcp", SOURCE, *place])
    async with Client(stdio_client(parameters)) as client:
        assert "hierarchy" in client.instructions
        await check_tools(client, calls)
        await check_growth(client)


async def over_http():
    """`binder serve --mcp`."""
    command = [BINDER, "serve", SOURCE, "--mcp", "--addr", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = re.search(r"http://[\d.:]+", server.stdout.readline())[0]
            async with Client(f"{url}/mcp") as client:
                await check_tools(client, ANSWERS)
        finally:
            server.terminate()
    assert server.returncode == 0, server.returncode


anyio.run(over_standard_streams)
print("binder mcp: all tools answer")
anyio.run(over_http)
print("binder serve --mcp: all tools answer")
