"""Tests our server with clients from PyPI: python server-peers.py smolagents|fastmcp URL"""

import asyncio
import sys


def with_smolagents(url):
    from smolagents import MCPClient

    with MCPClient({"url": url, "transport": "streamable-http"}, structured_output=False) as tools:
        by_name = {tool.name: tool for tool in tools}
        assert "test_simple_text" in by_name, sorted(by_name)
        text = by_name["test_simple_text"]()
        assert text == "This is a simple text response for testing.", text
        print(f"{len(by_name)} tools listed, a text returned")


async def with_fastmcp(url):
    from fastmcp import Client

    seen = []

    async def on_progress(progress, total, message):
        seen.append(progress)

    async def on_question(message, response_type, params, context):
        assert "test_elicitation" in message, message
        return {"decision": "allow"}

    async with Client(url, elicitation_handler=on_question, progress_handler=on_progress) as client:
        tools = await client.list_tools()
        result = await client.call_tool("test_multiple_content_types")
        assert [part.type for part in result.content] == ["text", "image", "resource"], result
        await client.call_tool("test_tool_with_progress")
        assert seen == [0, 50, 100], seen
        allowed = await client.call_tool("test_elicitation", {"message": "hello"})
        assert allowed.content[0].text == "allowed: hello", allowed
        failed = await client.call_tool("test_error_handling", raise_on_error=False)
        assert failed.is_error, failed
        print(f"{len(tools)} tools listed, contents, progress, approval and error as expected")


if __name__ == "__main__":
    client, url = sys.argv[1:]
    if client == "smolagents":
        with_smolagents(url)
    else:
        asyncio.run(with_fastmcp(url))
