"""An app for the tests of fromSpace: a text, an image from bytes, a file to take, an error, and something slow."""

import sys
import time

import gradio as gr
import numpy


def greet(name: str, excited: bool = False) -> str:
    return f"Hello {name}{'!' if excited else '.'}"


def paint(size: float):
    return numpy.zeros((int(size), int(size), 3), dtype=numpy.uint8)


def measure(image) -> str:
    return f"{image.shape[1]}x{image.shape[0]}"


def fail(text: str) -> str:
    raise gr.Error(f"no {text} today")


def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "late"


def split(text: str):
    return text.split(" ")[0], len(text)


with gr.Blocks() as app:
    text, number, flag = gr.Textbox(label="Name"), gr.Number(label="Size"), gr.Checkbox(label="Excited", value=False)
    choice = gr.Dropdown(["red", "green"], label="Colour", value="red")
    said, picture, length = gr.Textbox(), gr.Image(label="Picture"), gr.Number()
    gr.Button().click(greet, [text, flag], said, api_name="greet")
    gr.Button().click(paint, number, picture, api_name="paint")
    gr.Button().click(measure, picture, said, api_name="measure")
    gr.Button().click(fail, text, said, api_name="fail")
    gr.Button().click(slow, number, said, api_name="slow")
    gr.Button().click(split, text, [said, length], api_name="split")
    gr.Button().click(lambda colour: colour, choice, said, api_name="colour")

app.launch(server_name="127.0.0.1", server_port=int(sys.argv[1]), show_error=True, quiet=True, prevent_thread_lock=True)
print(app.local_url, flush=True)
app.block_thread()
