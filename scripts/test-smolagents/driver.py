"""Runs the cases on standard input by smolagents, and prints one line of JSON for each."""

import io
import json
import re
import sys
from contextlib import redirect_stdout

from smolagents import CodeAgent, LogLevel, OpenAIServerModel, Tool, ToolCallingAgent
from smolagents.memory import ActionStep, PlanningStep

calls = []


def tool_class(name, inputs, output_type, forward):
    """Makes a tool whose forward method has the parameters that its inputs name."""
    parameters = ", ".join(inputs)
    scope = {"run": forward}
    exec(f"def forward(self{', ' if parameters else ''}{parameters}):\n    return run({parameters})", scope)
    attributes = {
        "name": name,
        "description": name,
        "inputs": inputs,
        "output_type": output_type,
        "forward": scope["forward"],
        "skip_forward_signature_validation": True,
    }
    return type(name, (Tool,), attributes)()


def called(name, **arguments):
    calls.append(f"{name} {json.dumps(arguments, sort_keys=True, default=plain)}")


def number(description="a number"):
    return {"type": "number", "description": description}


def text(description="a text"):
    return {"type": "string", "description": description}


def make_tool(name):
    def add(a, b):
        called("add", a=a, b=b)
        return a + b

    def look_up(word):
        called("lookUp", word=word)
        return f"Processed: {word}" if isinstance(word, str) else "Processed: data"

    def fail(word):
        called("fail", word=word)
        raise ValueError("the line is dead")

    def draw(what):
        from PIL import Image

        called("draw", what=what)
        return Image.new("RGB", (1, 1))

    def long(word):
        called("long", word=word)
        return "begin " + "x" * 200_000 + " end"

    def final_answer(first, second):
        return f"{first} and {second}"

    made = {
        "add": lambda: tool_class("add", {"a": number(), "b": number()}, "number", add),
        "lookUp": lambda: tool_class("lookUp", {"word": {"type": "any", "description": "a word"}}, "string", look_up),
        "fail": lambda: tool_class("fail", {"word": text()}, "string", fail),
        "draw": lambda: tool_class("draw", {"what": text()}, "image", draw),
        "long": lambda: tool_class("long", {"word": text()}, "string", long),
        "finalAnswer": lambda: tool_class("final_answer", {"first": text(), "second": text()}, "string", final_answer),
    }
    return made[name]()


def check_of(name):
    count = 0

    def throws(answer, memory, agent=None):
        raise ValueError("Error raised in check")

    def fails(answer, memory, agent=None):
        return False

    def fails_once(answer, memory, agent=None):
        nonlocal count
        count += 1
        return count > 1

    return {"throws": throws, "fails": fails, "failsOnce": fails_once}[name]


kinds = {
    "AgentParsingError": "parsing",
    "AgentExecutionError": "execution",
    "AgentToolCallError": "tool",
    "AgentToolExecutionError": "tool",
    "AgentMaxStepsError": None,
    "AgentError": "check",
}


def error_of(step, case):
    kind = kinds.get(type(step.error).__name__, "execution") if step.error else None
    # In a tool-calling agent, only calls can fail.
    return "tool" if kind == "execution" and case["agent"] == "calls" else kind


def plain(output):
    """Returns an answer as JSON. Media are replaced by their kind."""
    for kind in ("image", "audio"):
        if type(output).__name__.lower() in (f"agent{kind}", kind) or (kind == "image" and hasattr(output, "save")):
            return f"<{kind}>"
    try:
        return json.loads(json.dumps(output))
    except TypeError:
        return str(output)


def agent_of(case, url, model, answers_of=""):
    kind = CodeAgent if case["agent"] == "code" else ToolCallingAgent
    options = {"verbosity_level": LogLevel.OFF, "max_steps": case.get("maxSteps", 6)}
    if "planningInterval" in case:
        options["planning_interval"] = case["planningInterval"]
    if "check" in case:
        options["final_answer_checks"] = [check_of(case["check"])]
    if "helper" in case:
        helper_model = OpenAIServerModel(model_id=f"{model}-helper", api_base=url, api_key="none")
        options["managed_agents"] = [
            kind(tools=[], model=helper_model, name="helper", description="Helps.", verbosity_level=LogLevel.OFF)
        ]
    server = OpenAIServerModel(model_id=model, api_base=url, api_key="none")
    return kind(tools=[make_tool(name) for name in case.get("tools", [])], model=server, **options)


def behaviour_of(case, url, model):
    calls.clear()
    agent = agent_of(case, url, model)
    state = "failed"
    output = None
    try:
        result = agent.run("Do it.", additional_args=case.get("additionalArgs"), return_full_result=True)
        if case.get("isFollowed"):
            result = agent.run("Go on.", reset=False, return_full_result=True)
        output = plain(result.output)
        state = "success" if result.state == "success" else "max-steps"
    except Exception as error:  # any error that ends a run
        output = type(error).__name__
    actions = [step for step in agent.memory.steps if isinstance(step, ActionStep)]
    shown = json.dumps([str(message.content) for message in agent.write_memory_to_messages()])
    return {
        "output": output,
        "state": state,
        "errors": [error_of(step, case) for step in actions],
        "plans": sum(isinstance(step, PlanningStep) for step in agent.memory.steps),
        "calls": sorted(calls),
        "shown": [bool(re.search(pattern, shown)) for pattern in case.get("shows", [])],
    }


def main():
    given = json.load(sys.stdin)
    out = sys.stdout
    for index, case in enumerate(given["cases"]):
        with redirect_stdout(io.StringIO()):
            behaviour = behaviour_of(case, given["url"], f"python-{index}")
        print(json.dumps(behaviour), file=out, flush=True)


main()
