# The port of a guest in WebAssembly. There are no threads. The program waits for the host's next message, or, if the worker cannot wait, on the event
# loop of the page.


class _MessageSelector:
    """Lets an event loop wait for the host's next message."""

    def __init__(self, port):
        self.port = port
        self.arrivals = Arrivals()

    def select(self, timeout=None):
        due = self.arrivals.take_due(timeout)
        for future in due:
            if not future.done():
                future.set_result(None)
        if due:
            return []
        if timeout is None or timeout > 0.05:
            self.port.report_idle()
        text = self.port.pull(-1.0 if timeout is None else max(0.0, timeout * 1000))
        if text:
            self.port.take(text)
        return []

    def get_map(self):
        return {}

    def close(self):
        pass


class WasmLoop(asyncio.BaseEventLoop):
    def __init__(self, port):
        super().__init__()
        self._selector = _MessageSelector(port)
        self.set_exception_handler(lambda loop, context: None)

    def arrive(self, future):
        self._selector.arrivals.add(future)

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


class WasmPort(BlockRunner):
    def __init__(self, send, pull):
        self._send = send
        self._pull = pull
        self.can_wait = pull is not None
        self.lock = threading.RLock()
        self.guest = Guest(self)
        self.event_loop = None
        self.questions = []
        self.is_running = False
        sys.stdout, sys.stderr = self.guest.printers
        main = sys.modules["__main__"].__dict__
        main.update(self.guest.namespace)
        self.guest.namespace = main
        if self.can_wait:
            import signal

            signal.signal(signal.SIGINT, self.interrupt)
            # A program's own asyncio.run() must wait in the same way.
            asyncio.events.new_event_loop = asyncio.new_event_loop = self.new_loop
            asyncio.run = asyncio.runners.run

    # -- what the guest asks of its port

    def send(self, message):
        self._send(json.dumps(message))

    def pull(self, timeout):
        return self._pull(timeout)

    def new_loop(self):
        return WasmLoop(self)

    def loop(self):
        if self.event_loop is None or self.event_loop.is_closed():
            self.event_loop = self.new_loop()
        return self.event_loop

    def wait(self, pending):
        while pending.outcome is None:
            self.report_idle()
            text = self.pull(-1.0)
            if text:
                self.take(text)

    def wake(self, loop, future):
        if isinstance(loop, WasmLoop):
            loop.arrive(future)
        else:
            loop.call_soon(lambda: future.done() or future.set_result(None))

    # -- messages

    def take(self, text):
        message = json.loads(text)
        kind = message["type"]
        if kind == "deliver":
            self.guest.deliver(message["execution"], message["call"], message["outcome"])
            self.questions.append(message["request"])
            if not self.is_running:
                self.report_idle()
            elif not self.can_wait:
                asyncio.get_event_loop().call_later(0.001, self.report_idle)
        elif kind == "stop":
            if self.is_running and message["execution"] == self.guest.execution:
                raise Stopped()
        elif kind == "start":
            self.guest.start(message)
            self.send({"type": "started"})
        elif kind == "execute":
            self.execute(message)
        elif kind == "variables":
            variables = self.guest.variables(message.get("newest"), message["previews"])
            self.send({"type": "variables", "request": message["request"], "variables": variables})
        elif kind == "is-program":
            self.send({"type": "is-program", "request": message["request"], "isProgram": is_program(message["code"])})

    def report_idle(self):
        questions, self.questions = self.questions, []
        for request in questions:
            self.send({"type": "rested", "request": request})

    # -- blocks

    def execute(self, message):
        self.is_running = True
        if not self.can_wait:
            self.task = asyncio.ensure_future(self.run_later(message))
            return
        running = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        try:
            self.run_block(message)
        except (Stopped, FinalAnswer):
            self.event_loop = None
        finally:
            asyncio._set_running_loop(running)
            self.end(message)

    async def run_later(self, message):
        """Runs a block on the event loop of the page."""
        guest = self.guest
        try:
            program = guest.begin(message)
            if program is not None:
                value = await program.run_async(guest.namespace)
                unawaited = guest.unawaited()
                while guest.pending and not guest.is_over:
                    await asyncio.wait([guest.arrived(pending) for pending in list(guest.pending.values())])
                await asyncio.sleep(0)
                guest.finish(guest.success(value, unawaited))
        except (Stopped, FinalAnswer):
            pass
        except BaseException as error:
            guest.finish(guest.failure(error))
        finally:
            self.end(message)

    def end(self, message):
        self.is_running = False
        self.guest.is_over = True
        self.report_idle()
        self.send({"type": "unwound", "execution": message["execution"]})


def remove_javascript():
    """Removes access to JavaScript from all modules that a program can import."""
    import pyodide.code

    def refused(*_args, **_kwargs):
        raise ImportRefused("JavaScript cannot be run from here")

    pyodide.code.run_js = refused
    for finder in list(sys.meta_path):
        if type(finder).__name__ == "JsFinder":
            sys.meta_path.remove(finder)
    doors = ("js", "pyodide_js", "_pyodide_core", "pyodide", "_pyodide", "ctypes", "_ctypes")
    for name in [*doors, *sys.modules]:
        if name.split(".", 1)[0] in doors:
            sys.modules[name] = None
