"""GradioUI of smolagents, launched as its documentation shows it, with scripted models in the place of real ones.

python gradio-page.py code|team|calls|defaults <folder>     the port is GRADIO_SERVER_PORT
"""

import re
import sys
import time
from pathlib import Path

import gradio
from smolagents import CodeAgent, GradioUI, Model, ToolCallingAgent, tool
from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    TokenUsage,
)

scene, folder = sys.argv[1], Path(sys.argv[2])


def ask_for_tunnel(*_args, **_options):
    """Replaces gradio's public tunnel, because no test may be reachable from outside."""
    (folder / "tunnel").write_text("asked for")
    return "https://tunnel.example"


gradio.networking.setup_tunnel = ask_for_tunnel


def text_of(message):
    content = message.content if isinstance(message, ChatMessage) else message["content"]
    if isinstance(content, str):
        return content
    return " ".join(str(part.get("text", "")) for part in content or [])


class ScriptedModel(Model):
    """A model whose answer is a function of all text that it is sent. It writes in pieces if it is streamed."""

    def __init__(self, answer):
        super().__init__(model_id="scripted/model")
        self.answer = answer

    def generate(self, messages, **_options):
        answer = self.answer([text_of(message) for message in messages])
        usage = TokenUsage(input_tokens=500, output_tokens=100)
        if isinstance(answer, str):
            return ChatMessage(role=MessageRole.ASSISTANT, content=answer, token_usage=usage)
        calls = [
            ChatMessageToolCall(id=f"call_{index}", type="function", function=ChatMessageToolCallFunction(name=name, arguments=arguments))
            for index, (name, arguments) in enumerate(answer)
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=calls, token_usage=usage)

    def generate_stream(self, messages, **_options):
        texts = [text_of(message) for message in messages]
        answer = self.answer(texts)
        pause = pause_of(task_of(texts))
        for piece in re.findall(r"\S+\s*|\s+", answer):
            time.sleep(pause)
            yield ChatMessageStreamDelta(content=piece)
        yield ChatMessageStreamDelta(content="", token_usage=TokenUsage(input_tokens=500, output_tokens=100))


def task_of(texts):
    tasks = [text for text in texts if "New task:" in text]
    return tasks[-1].split("New task:")[-1] if tasks else texts[-1]


def steps_of(texts):
    """Returns the number of actions in the run. Each action leaves one observation or error."""
    begun = max((index for index, text in enumerate(texts) if "New task:" in text), default=0)
    return sum(1 for text in texts[begun + 1 :] if re.match(r"\s*(Observation|Error)", text))


def pause_of(task):
    found = re.search(r"every (\d+) ms", task)
    return int(found.group(1)) / 1000 if found else 0


@tool
def tick(number: int) -> int:
    """
    Takes a moment.

    Args:
        number: any number
    """
    with open(folder / "ticks", "a") as ticks:
        ticks.write(".")
    time.sleep(0.025)
    return number


@tool
def look_up(mountain: str) -> int:
    """
    The height of a mountain.

    Args:
        mountain: its name
    """
    return 5642


def code(thought, program):
    return f"{thought}\n<code>\n{program}\n</code>"


def answer_code(texts):
    task = task_of(texts)
    if "Which numbers" in task:
        told = sorted(set(re.findall(r"Remember (\d+)", " ".join(texts))))
        return code("I look back.", f"final_answer('Known to me: {' '.join(told) or 'none'}.')")
    if "Which files" in task:
        given = re.findall(r"provided with these files: \[(.*?)\]", task)
        names = " ".join(Path(path.strip("' ")).name for path in given)
        return code("I look at them.", f"final_answer('Given to me: {names or 'none'}.')")
    if "Tick" in task:
        return code("I count.", "for number in range(400):\n    tick(number)\nfinal_answer('All is counted.')")
    if "price" in task:
        return code("I know the prices.", "final_answer('One costs $5 and two cost $10 in all.')")
    words = re.search(r"Write (\d+) words", task)
    if words:
        text = " ".join(f"word{number}" for number in range(int(words.group(1))))
        return code(f"firstword {text} lastword", "final_answer('All is written.')")
    return code("Good.", "final_answer('It is noted.')")


def answer_manager(texts):
    if "New task:" not in " ".join(texts):
        return "## Facts\nA mountain is asked for.\n## Plan\n1. Look for the planned-harbour\n2. Answer\n<end_plan>"
    if steps_of(texts) == 0:
        return code("I wonder about the thought-of-orchard.", "print(surveyor(task='How high is Elbrus?'))")
    return code("The report is in.", "final_answer('It is 5642 metres.')")


def answer_surveyor(texts):
    if "call_0" not in " ".join(texts) and "5642" not in " ".join(texts):
        return [("look_up", {"mountain": "Elbrus-of-the-surveyor"})]
    return [("final_answer", {"answer": "5642"})]


def answer_calls(texts):
    if "5642" not in " ".join(texts):
        return [("look_up", {"mountain": "Elbrus-one"}), ("look_up", {"mountain": "Kazbek-two"})]
    return [("final_answer", {"answer": "Both are known."})]


def make_agent():
    if scene in ("code", "defaults"):
        return CodeAgent(tools=[tick], model=ScriptedModel(answer_code), stream_outputs=True, max_steps=5, verbosity_level=0)
    if scene == "calls":
        return ToolCallingAgent(tools=[look_up], model=ScriptedModel(answer_calls), max_steps=5, verbosity_level=0)
    surveyor = ToolCallingAgent(
        tools=[look_up], model=ScriptedModel(answer_surveyor), name="surveyor", description="Knows how high mountains are.", verbosity_level=0
    )
    return CodeAgent(
        tools=[],
        managed_agents=[surveyor],
        model=ScriptedModel(answer_manager),
        stream_outputs=True,
        planning_interval=3,
        max_steps=5,
        verbosity_level=0,
    )


def main():
    page = GradioUI(make_agent(), file_upload_folder=str(folder / "uploads"))
    # Only this scene has a public address, because the page then comes from a distant server.
    if scene == "defaults":
        page.launch()
    else:
        page.launch(share=False)


if __name__ == "__main__":
    main()
