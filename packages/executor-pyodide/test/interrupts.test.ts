// An interrupt can arrive at any point of a block, even while the guest is ending the block. The
// test traces the guest with CPython and interrupts it at each point in turn.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runnerOf } from "@smolts/executor-remote";
import { pythonGuestSource } from "@smolts/executor-remote/python-guest";
import { expect, test } from "vitest";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

const portSource = readFileSync(new URL("../python/port.py", import.meta.url), "utf8");

const inWebAssembly = `${pythonGuestSource}\n${portSource}
sent = []
port = WasmPort(lambda text: sent.append(json.loads(text)), lambda _ms: "")
take = port.take

def run(message):
    take(json.dumps(message))
`;

const inProcess = `${runnerOf("python").source.replace('if __name__ == "__main__":', "if False:")}
class OneJob:
    def __init__(self, message):
        self.messages = [message]
    def get(self):
        if not self.messages:
            raise EOFError()
        return self.messages.pop()

sent = []
reads, writes = os.pipe()
port = PipePort(reads, os.open(os.devnull, os.O_WRONLY))
os_write = os.write
def write(descriptor, data):
    sent.append(json.loads(bytes(data)))
    return len(data)
os.write = write
take = lambda text: port._take(json.loads(text))

def run(message):
    port.jobs = OneJob(message)
    try:
        port.run()
    except EOFError:
        pass
`;

/**
 * Prints the number of points at which a block was interrupted, and the interrupts that the guest
 * did not survive.
 */
const sweep = `
take(json.dumps({"type": "start", "tools": ["final_answer"], "finalAnswer": "final_answer", "limits": {}}))

def attempt(code, point):
    """Interrupts at one point; says whether the block came to it, and what went wrong."""
    sent.clear()
    seen = 0

    def trace(frame, event, _argument):
        nonlocal seen
        frame.f_trace_opcodes = True
        if event == "opcode":
            seen += 1
            if seen == point:
                port.interrupt(2, frame)
        return trace

    wrong = None
    sys.settrace(trace)
    try:
        run({"type": "execute", "execution": 1, "code": code, "variables": {}})
    except BaseException as error:
        wrong = repr(error)
    sys.settrace(None)
    if [message["type"] for message in sent].count("unwound") != 1:
        wrong = wrong or "it did not say once that it is off the stack"
    return seen >= point, wrong

def points(code):
    point, faults, comes = 0, [], True
    attempt(code, 0)
    while comes:
        point += 1
        comes, wrong = attempt(code, point)
        if wrong:
            faults.append([point, wrong])
    return {"points": point - 1, "faults": faults}

sys.__stdout__.write(json.dumps(points("final_answer(1)")))
`;

test.skipIf(!hasPython).each([
  ["in WebAssembly", inWebAssembly],
  ["in a process", inProcess],
])("the guest %s reports once that a block has unwound, wherever an interrupt arrives", (_title, port) => {
  const { stdout, stderr } = spawnSync("python3", ["-"], { input: `${port}\n${sweep}`, encoding: "utf8" });
  expect(stderr).toBe("");
  const block = JSON.parse(stdout) as { readonly points: number; readonly faults: readonly unknown[] };
  expect(block.faults).toEqual([]);
  expect(block.points).toBeGreaterThan(1_000);
});
