# The runner for Python: a supervisor that owns standard input and output, and a guest process that runs the model's code. FRAMES.md describes the protocol.
#
# The guest is a fork of the supervisor, so it starts at once and needs no file of its own. The supervisor does not trust what the guest prints or sends.

import errno
import os
import queue
import selectors
import signal
import time

PROTOCOL_VERSION = 1
DEFAULT_MAX_FRAME = 16 * 1024 * 1024
DEFAULT_WINDOW = 4 * 1024 * 1024
ACKNOWLEDGE_DELAY = 0.02
# How long a guest may take to stop by itself; the most after an abort, because the host then ends the sandbox; the most in any case; how often the guest is checked. In s.
SOFT_STOP, MOST_AFTER_ABORT, MOST_STOP, STOP_TICK = 0.3, 0.6, 5.0, 0.02
INTERRUPT_EVERY = 0.1
FIRST_LEASH = 60.0
# How long a guest may take to end after its pipe was closed, in s.
CLOSED_PIPE = 0.3
PF_EXITING = 4
F_SETPIPE_SZ = 1031
# Makes the other side drop the part of a line that it has read, because a line may be cut off when a pipe breaks.
RESET = b"\x18"


# ---------------------------------------------------------------- the guest's side


class GuestLoop(asyncio.SelectorEventLoop):
    """An event loop that reports when it has nothing left to do except to wait for the host."""

    def __init__(self, port):
        self._watched = _WatchedSelector(port)
        super().__init__(self._watched)
        self.set_exception_handler(lambda loop, context: None)

    def arrive(self, future):
        """Delivers an outcome. It can be called from any thread."""
        self._watched.arrivals.add(future)
        self.call_soon_threadsafe(_nothing)  # Wakes the loop if it is waiting.


def _nothing():
    pass


class _WatchedSelector(selectors.DefaultSelector):
    def __init__(self, port):
        super().__init__()
        self._port = port
        self.arrivals = Arrivals()

    def select(self, timeout=None):
        if self._port.release_arrivals(self.arrivals, timeout):
            return super().select(0)
        if (timeout is None or timeout > 0.05) and threading.current_thread() is self._port.main:
            self._port.idle()
        return super().select(timeout)


class PipePort(BlockRunner):
    """Exchanges messages over a pair of pipes. A second thread reads messages, and the main thread runs blocks."""

    can_wait = True

    def __init__(self, reads, writes):
        self.input = os.fdopen(reads, "rb", buffering=1 << 16)
        self.output = writes
        self.jobs = queue.SimpleQueue()
        # The port and its guest share one lock, because two locks could wait for each other.
        self.lock = threading.RLock()
        self.guest = Guest(self)
        self.event_loop = None
        self.main = threading.main_thread()
        # The state of the main thread: whether it waits in a call, whether its loop has nothing to do, and how many outcomes are on their way to the loop.
        self.is_blocked = False
        self.is_idle = True
        self.wakeups = 0
        self.questions = []
        self.is_watched = False
        self.in_send = False
        self.is_stop_late = False
        self.is_copy = False
        os.register_at_fork(after_in_child=self.after_fork)

    def after_fork(self):
        """Called in a process that the program has forked. It also has the pipe, but the block belongs to its parent. So it only prints, like any child process."""
        self.is_copy = True
        self.lock = self.guest.lock = threading.RLock()  # A new lock, because the thread that held the old one may not exist in this process.
        sys.stdout, sys.stderr = open(1, "w", buffering=1, closefd=False), open(2, "w", buffering=1, closefd=False)

    # what the Guest asks of its port

    def send(self, message):
        if self.is_copy:
            return self._send_after_fork(message)
        data = json.dumps(message).encode("ascii") + b"\n"
        is_main = threading.current_thread() is self.main
        # A stop must wait until the whole message is written, because half a message is not valid.
        with self.lock:
            if is_main:
                self.in_send = True
            view = memoryview(data)
            while view:
                view = view[os.write(self.output, view) :]
            if is_main:
                self.in_send = False
        if is_main and self.is_stop_late:
            self.is_stop_late = False
            super().interrupt(signal.SIGINT, sys._getframe())

    def _send_after_fork(self, message):
        if message["type"] == "call":
            raise RuntimeError("a forked process cannot call tools: call them in the process that forked")
        if message["type"] == "console":  # The program has kept a printer of the parent process.
            os.write(1 if message["level"] == "log" else 2, message["text"].encode("utf-8", "replace") + b"\n")

    def loop(self):
        if self.event_loop is None or self.event_loop.is_closed():
            self.event_loop = self.new_loop()
            asyncio.set_event_loop(self.event_loop)
        return self.event_loop

    def new_loop(self):
        return GuestLoop(self)

    def wait(self, pending):
        if pending.thread is self.main:
            with self.lock:
                self.is_blocked = pending.outcome is None
                self._answer_questions()
        pending.event.wait()

    def wake(self, loop, future):
        with self.lock:
            self.wakeups += 1
            self.is_idle = False
            try:
                if isinstance(loop, GuestLoop):
                    loop.arrive(future)
                else:
                    loop.call_soon_threadsafe(self._woken, future)
            except RuntimeError:  # The loop is closed, so nobody waits for the outcome.
                self.wakeups -= 1

    def release_arrivals(self, arrivals, timeout):
        with self.lock:
            due = arrivals.take_due(timeout)
        for future in due:
            self._woken(future)
        return bool(due)

    def _woken(self, future):
        with self.lock:
            self.wakeups -= 1
        if not future.done():
            future.set_result(None)

    # rest

    def idle(self):
        with self.lock:
            self.is_idle = True
            self._answer_questions()

    def _answer_questions(self):
        """Answers the requests that wait until the program is idle, if it is idle."""
        if not self.is_blocked and (not self.is_idle or self.wakeups > 0):
            return
        questions, self.questions = self.questions, []
        for request in questions:
            self.send({"type": "rested", "request": request})

    def _watch_idle(self):
        """Detects a program that is idle without reporting it, such as in `join()` of threads that wait for calls. Such a program uses no processor time."""
        quiet, before = 0, time.process_time()
        while quiet < 4:
            time.sleep(0.02)
            now = time.process_time()
            quiet = quiet + 1 if now - before < 0.002 else 0
            before = now
            with self.lock:
                if not self.questions:
                    self.is_watched = False
                    return
        with self.lock:
            questions, self.questions = self.questions, []
            self.is_watched = False
            for request in questions:
                self.send({"type": "rested", "request": request})

    # messages

    def read(self):
        for line in self.input:
            try:
                self._take(json.loads(line))
            except BaseException:
                # The program has replaced functions that this code needs. A guest that cannot receive messages is useless, so it exits.
                os.write(2, traceback.format_exc().encode("utf-8", "replace"))
                os._exit(70)
        os._exit(0)

    def _take(self, message):
        kind = message["type"]
        if kind == "execute":
            with self.lock:
                self.is_idle = self.is_blocked = False
                self.wakeups = 0
            self.jobs.put(message)
        elif kind == "deliver":
            with self.lock:
                pending = self.guest.pending.get(message["call"]) if message["execution"] == self.guest.execution else None
                if pending is not None and pending.event and pending.thread is self.main:
                    self.is_blocked = self.is_idle = False
                self.guest.deliver(message["execution"], message["call"], message["outcome"])
                if pending is not None and pending.event and pending.thread is not self.main:
                    self.send({"type": "rested", "request": message["request"]})  # It cannot be known whether other threads are idle.
                    return
                self.questions.append(message["request"])
                self._answer_questions()
                if self.questions and not self.is_watched:
                    self.is_watched = True
                    threading.Thread(target=self._watch_idle, daemon=True).start()
        elif kind == "variables":
            variables = self.guest.variables(message.get("newest"), message["previews"])
            self.send({"type": "variables", "request": message["request"], "variables": variables})
        elif kind == "is-program":
            self.send({"type": "is-program", "request": message["request"], "isProgram": is_program(message["code"])})
        elif kind == "start":
            self.guest.start(message)
            self.send({"type": "started"})

    # blocks

    def run(self):
        sys.stdout, sys.stderr = self.guest.printers
        while True:
            message = self.jobs.get()
            try:
                self.run_block(message)
            except (Stopped, FinalAnswer):
                self._forget_loop()
            if self.is_copy:
                sys.stdout.flush()
                os._exit(0)
            self.guest.is_over = True
            with self.lock:
                self.is_blocked, self.wakeups = False, 0
            self.idle()
            self.send({"type": "unwound", "execution": message["execution"]})

    def _forget_loop(self):
        loop, self.event_loop = self.event_loop, None
        with self.lock:
            self.wakeups = 0
        if loop is None or loop.is_running():
            return
        for task in asyncio.all_tasks(loop):
            task.cancel()
        try:
            loop.close()
        except Exception:
            pass

    def interrupt(self, number, frame):
        if self.in_send:
            self.is_stop_late = True
            return
        super().interrupt(number, frame)


def guest_main(reads, writes, null, out, err):
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    keep = {0, 1, 2, reads, writes}
    for descriptor in _open_descriptors():
        if descriptor not in keep:
            try:
                os.close(descriptor)
            except OSError:
                pass
    os.environ.setdefault("MPLBACKEND", "Agg")
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.setrecursionlimit(8000)
    _prctl(1, signal.SIGKILL)  # On Linux, the guest is killed when its supervisor ends.
    import __main__

    # Programs get their own main module instead of ours.
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [""]
    port = PipePort(reads, writes)
    sys.modules["__main__"].__dict__.update(port.guest.namespace)
    port.guest.namespace = sys.modules["__main__"].__dict__
    # The loop of a program's own asyncio.run() also reports when it is idle.
    asyncio.events.new_event_loop = asyncio.new_event_loop = port.new_loop
    signal.signal(signal.SIGINT, port.interrupt)
    threading.Thread(target=port.read, daemon=True).start()
    port.run()


def _open_descriptors():
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            return [int(name) for name in os.listdir(folder)]
        except (OSError, ValueError):
            continue
    return list(range(3, 256))


def _prctl(option, value):
    try:
        import ctypes

        ctypes.CDLL(None).prctl(option, int(value), 0, 0, 0)
    except Exception:
        pass


# ---------------------------------------------------------------- the supervisor's side


class Garbage(Exception):
    """The other side has sent something that is not a frame."""


class LineReader:
    """Reads whole lines from a descriptor that does not block. A line must not be longer than a limit."""

    def __init__(self, limit):
        self.limit = limit
        self.parts = []
        self.size = 0

    def feed(self, data):
        *lines, rest = data.split(b"\n")
        for line in lines:
            self.parts.append(line)
            whole = b"".join(self.parts)
            self.parts, self.size = [], 0
            whole = whole[whole.rfind(RESET) + 1 :]
            if len(whole) > self.limit:
                raise Garbage("a line of %d bytes" % len(whole))
            if whole.strip():
                yield whole
        if RESET in rest:
            self.parts, self.size = [], 0
            rest = rest[rest.rfind(RESET) + 1 :]
        self.parts.append(rest)
        self.size += len(rest)
        if self.size > self.limit:
            raise Garbage("a line of more than %d bytes" % self.limit)


def read_now(descriptor, most=1 << 20):
    """Returns the bytes that can be read now: None if there are none, empty bytes at the end."""
    try:
        return os.read(descriptor, most)
    except BlockingIOError:
        return None
    except InterruptedError:
        return None
    except OSError as error:
        if error.errno in (errno.EIO, errno.EBADF, errno.ECONNRESET):
            return b""
        raise


class GuestProcess:
    """A guest process, seen from its supervisor: a process id and four pipes."""

    def __init__(self):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        null = os.open(os.devnull, os.O_RDONLY)
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setpgid(0, 0)
                guest_main(to_read, from_write, null, out_write, err_write)
            except BaseException:
                try:
                    os.write(2, traceback.format_exc().encode("utf-8", "replace"))
                finally:
                    os._exit(70)
        try:
            os.setpgid(self.pid, self.pid)
        except OSError:
            pass
        for descriptor in (to_read, from_write, out_write, err_write, null):
            os.close(descriptor)
        self.writes, self.reads, self.out, self.err = to_write, from_read, out_read, err_read
        for descriptor in (self.writes, self.reads, self.out, self.err):
            os.set_blocking(descriptor, False)
        for descriptor in (self.writes, self.reads):
            _widen(descriptor)
        self.unwritten = bytearray()
        self.lines = LineReader(DEFAULT_MAX_FRAME)
        self.texts = {"log": b"", "error": b""}
        self.ended = set()  # The descriptors whose other end is closed.
        self.is_dead, self.status = False, None

    def send(self, message):
        self.unwritten += json.dumps(message).encode("ascii") + b"\n"
        self.flush()

    def flush(self):
        while self.unwritten:
            try:
                _write_some(self.writes, self.unwritten)
            except BlockingIOError:
                return
            except OSError:
                self.unwritten = bytearray()

    def signal(self, number):
        try:
            os.kill(self.pid, number)
        except OSError:
            pass

    def kill(self):
        """Kills the guest and all processes that it has started."""
        for pid in _descendants(self.pid):
            _kill(pid)
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
        self.signal(signal.SIGKILL)
        self.reap(block=True)
        # Orphaned processes of the guest are now children of this process.
        for pid in _descendants(os.getpid()):
            _kill(pid)
        while _reap_any():
            pass

    def reap(self, block=False):
        if not self.is_dead:
            try:
                pid, status = os.waitpid(self.pid, 0 if block else os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0
            if pid == self.pid:
                self.record_exit(status)
        return self.status

    def record_exit(self, status):
        self.is_dead, self.status = True, status

    def status_at_end(self):
        """Returns how the guest ended after it has closed its pipe. None if it closed the pipe but is still running."""
        if self.is_exiting():
            return self.reap(block=True)
        deadline = time.monotonic() + CLOSED_PIPE
        while self.reap() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        return self.status

    def is_exiting(self):
        """Says whether the guest is exiting. A process that exits closes its files first. On Linux, a flag shows whether it is exiting."""
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                return int(file.read().rsplit(")", 1)[1].split()[6]) & PF_EXITING != 0
        except (OSError, ValueError, IndexError):
            return False

    def close(self):
        for descriptor in (self.writes, self.reads, self.out, self.err):
            try:
                os.close(descriptor)
            except OSError:
                pass

    def cpu_seconds(self):
        try:
            with open("/proc/%d/stat" % self.pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return 0.0

    def is_waiting(self):
        """Says whether all threads of the guest are waiting, so that it does not need the processor. True if the system does not report it."""
        tasks = "/proc/%d/task" % self.pid
        try:
            for task in os.listdir(tasks):
                with open("%s/%s/stat" % (tasks, task)) as file:
                    if file.read().rsplit(")", 1)[1].split()[0] != "S":
                        return False
        except (OSError, IndexError):
            pass
        return True

    def resident_bytes(self):
        total = 0
        for pid in [self.pid, *_descendants(self.pid)]:
            try:
                with open("/proc/%d/statm" % pid) as file:
                    total += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            except (OSError, ValueError, IndexError):
                pass
        return total


def _write_some(descriptor, data):
    """Writes as many bytes as there is room for, and removes them from the front."""
    with memoryview(data) as view:
        written = os.write(descriptor, view)
    del data[:written]


def _widen(descriptor):
    """Enlarges a pipe if the system supports it, so that a large message needs fewer steps."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, F_SETPIPE_SZ, 1 << 20)
    except (ImportError, OSError):
        pass


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def _reap_any():
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except OSError:
        return False


def _descendants(pid):
    found, open_pids = [], [pid]
    while open_pids:
        parent = open_pids.pop()
        try:
            tasks = os.listdir("/proc/%d/task" % parent)
        except OSError:
            continue
        for task in tasks:
            try:
                with open("/proc/%d/task/%s/children" % (parent, task)) as file:
                    children = [int(text) for text in file.read().split()]
            except (OSError, ValueError):
                continue
            found += children
            open_pids += children
    return found


class Supervisor:
    """Exchanges frames with the host, and runs code in a guest."""

    def __init__(self, reads=0, writes=1):
        self.reads, self.writes = reads, writes
        self.selector = selectors.DefaultSelector()
        self.lines = LineReader(DEFAULT_MAX_FRAME)
        self.max_frame, self.window = DEFAULT_MAX_FRAME, DEFAULT_WINDOW
        self.session = None
        self.greeted = False
        self.out = bytearray()
        self.sent, self.unacknowledged, self.unsent = 0, [], []
        self.received, self.acknowledged, self.acknowledge_at = 0, 0, None
        self.heard_at = self.turned_at = time.monotonic()
        self.leash = FIRST_LEASH
        self.started = None
        self.limits = {}
        self.executed = []
        self.history = []
        self.execution = None
        self.guest = None
        self.queued = None
        self.code = None
        self.has_started = False
        self.must_report_loss = False  # Whether variables were lost after the last block had its result. The next block reports it.
        self.is_ended = False

    # -- the loop

    def run(self):
        _prctl(36, 1)  # Orphaned processes of the guest become children of this process, so that they can be killed.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: self.end())
        os.set_blocking(self.reads, False)
        os.set_blocking(self.writes, False)
        self.selector.register(self.reads, selectors.EVENT_READ, self.read_host)
        self.watch_children()
        self.new_guest()
        try:
            while not self.is_ended:
                self.turn()
        except Garbage as error:
            self.fatal("an invalid frame arrived: %s" % error)
        except Exception as error:
            self.fatal("the runner failed: %s: %s" % (type(error).__name__, error))
        finally:
            self.guest.kill()
            self.send_last_frames()

    def turn(self):
        is_held = self.is_window_full()
        self.watch(self.guest.reads, self.read_guest, not is_held)
        for descriptor in (self.guest.out, self.guest.err):
            self.watch(descriptor, self.read_printed, not is_held and descriptor not in self.guest.ended)
        self.watch(self.guest.writes, self.flush_guest, bool(self.guest.unwritten), selectors.EVENT_WRITE)
        self.watch(self.writes, self.flush_host, bool(self.out), selectors.EVENT_WRITE)
        timeout = self.next_timeout()
        for key, _events in self.selector.select(timeout):
            if not self.is_ended:
                key.data(key.fd)
        self.skip_pauses(timeout)
        self.check_limits()

    def skip_pauses(self, timeout):
        """Detects pauses of the whole sandbox, in which a turn takes much longer than its timeout. That time counts for no limit."""
        now = time.monotonic()
        late, self.turned_at = now - self.turned_at - timeout, now
        if late > 0.25:
            self.heard_at = time.monotonic()
            if self.execution is not None:
                self.execution.mark += late

    def watch(self, descriptor, act, wanted, event=selectors.EVENT_READ):
        known = descriptor in self.selector.get_map()
        if wanted and not known:
            self.selector.register(descriptor, event, act)
        elif known and not wanted:
            self.selector.unregister(descriptor)

    def next_timeout(self):
        waits = [3600.0, self.heard_at + self.leash - time.monotonic()]
        if self.acknowledge_at is not None:
            waits.append(self.acknowledge_at - time.monotonic())
        if self.execution is not None:
            waits.append(self.execution.next_timeout(self))
        return max(0.0, min(waits))

    def check_limits(self):
        now = time.monotonic()
        if self.acknowledge_at is not None and now >= self.acknowledge_at:
            self.write({"type": "ack", "ack": self.received})
        if now >= self.heard_at + self.leash:
            self.end()
            return
        if self.execution is not None:
            self.execution.check_limits(self)

    # -- the host

    def read_host(self, descriptor):
        data = read_now(descriptor)
        if data is None:
            return
        if data == b"":
            self.end()
            return
        self.heard_at = time.monotonic()
        for line in self.lines.feed(data):
            self.take(self.parsed(line))
            if self.is_ended:
                return

    def parsed(self, line):
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            raise Garbage("no JSON")
        if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
            raise Garbage("no object with a type")
        return frame

    def take(self, frame):
        kind = frame["type"]
        if kind == "hello":
            self.take_hello(frame)
            return
        if not self.greeted:
            raise Garbage("%s before hello" % kind[:40])
        if "ack" in frame:
            self.take_ack(frame["ack"])
        if kind in ("ack", "pong"):
            return
        if kind == "ping":
            self.write({"type": "pong"})
            return
        if kind == "fatal":
            self.end()
            return
        if self.is_new(frame.get("seq")):
            self.take_message(kind, frame)

    def is_new(self, seq):
        if not is_count(seq) or seq < 1:
            raise Garbage("no number")
        if seq <= self.received:
            return False
        if seq != self.received + 1:
            raise Garbage("number %d after %d" % (seq, self.received))
        self.received = seq
        if self.acknowledge_at is None:
            self.acknowledge_at = time.monotonic() + ACKNOWLEDGE_DELAY
        return True

    def take_ack(self, ack):
        if not is_count(ack) or ack > self.sent:
            raise Garbage("an acknowledgement of what was not sent")
        while self.unacknowledged and self.unacknowledged[0][0] <= ack:
            self.unacknowledged.pop(0)
        self.pump()

    def take_hello(self, frame):
        if frame.get("version") != PROTOCOL_VERSION:
            self.fatal("this runner speaks version %d of the protocol" % PROTOCOL_VERSION)
            return
        session = frame.get("session")
        if not isinstance(session, str) or not session or not is_count(frame.get("received")):
            raise Garbage("a hello without session or number")
        if self.session is not None and session != self.session:
            self.write({"type": "fatal", "error": {"code": "executor", "message": "the sandbox belongs to another session"}})
            return
        self.session = session
        # Sizes that are too small are raised, because smaller frames could carry nothing.
        self.max_frame = min(DEFAULT_MAX_FRAME, max(1024, number_in(frame, "maxFrameBytes", DEFAULT_MAX_FRAME)))
        self.window = max(1024, number_in(frame, "windowBytes", DEFAULT_WINDOW))
        self.lines.limit = self.guest.lines.limit = self.max_frame
        if frame.get("fresh") is True:
            self.sent, self.received = 0, 0
            self.unacknowledged, self.unsent = [], []
            self.acknowledge_at = None
            if self.execution is not None:
                self.execution.number = None
        self.out = bytearray(RESET)
        self.greeted = True
        self.write(
            {
                "type": "hello",
                "version": PROTOCOL_VERSION,
                "session": self.session,
                "received": self.received,
                "language": "python",
                "runtime": "Python %d.%d.%d" % sys.version_info[:3],
                "executed": self.executed,
                "maxFrameBytes": DEFAULT_MAX_FRAME,
                "windowBytes": DEFAULT_WINDOW,
            }
        )
        if frame.get("fresh") is not True:
            self.take_ack(min(frame["received"], self.sent))
            for _seq, line in self.unacknowledged:
                self.out += line
        self.flush_host(self.writes)

    def write(self, frame):
        """Writes a frame that has no number, or already has one."""
        self.out += json.dumps(dict(frame, ack=self.received) if "seq" in frame else frame).encode("ascii") + b"\n"
        self.acknowledge_at = None if frame["type"] == "ack" or "seq" in frame else self.acknowledge_at
        self.flush_host(self.writes)

    def send(self, message):
        self.unsent.append(message)
        self.pump()

    def pump(self):
        while self.unsent and not self.is_window_full():
            self.sent += 1
            frame = dict(self.unsent.pop(0), seq=self.sent, ack=self.received)
            line = json.dumps(frame).encode("ascii") + b"\n"
            self.acknowledge_at = None
            self.unacknowledged.append((self.sent, line))
            self.out += line
        self.flush_host(self.writes)

    def is_window_full(self):
        return bool(self.unacknowledged) and sum(len(line) for _, line in self.unacknowledged) > self.window

    def flush_host(self, _descriptor):
        while self.out:
            try:
                _write_some(self.writes, self.out)
            except BlockingIOError:
                return
            except OSError:
                self.out = bytearray()  # The pipe is gone. Numbered frames are sent again on the next pipe.

    def fatal(self, message):
        self.write({"type": "fatal", "error": {"code": "executor", "message": message}})
        self.end()

    def end(self):
        self.is_ended = True

    def send_last_frames(self):
        """Sends the last frames, but waits only for a short time, because the host may have stopped reading."""
        deadline = time.monotonic() + 1
        while self.out and time.monotonic() < deadline:
            self.flush_host(self.writes)
            if self.out:
                time.sleep(0.01)

    # -- messages of the host

    def take_message(self, kind, frame):
        if kind == "end":
            self.end()
        elif kind == "start":
            self.take_start(frame)
        elif self.started is None:
            raise Garbage("%s before start" % kind[:40])
        elif kind == "execute":
            self.take_execute(frame)
        elif kind == "deliver":
            self.take_deliver(frame)
        elif kind == "stop":
            self.take_stop(frame)
        elif kind in ("variables", "is-program"):
            self.ask_guest(kind, frame)
        else:
            raise Garbage("the type %s" % kind[:40])

    def take_start(self, frame):
        tools, limits = frame.get("tools"), frame.get("limits")
        if not is_texts(tools) or not isinstance(limits, dict) or not is_texts(frame.get("imports") or []):
            raise Garbage("a start without tools, limits or imports")
        is_first = self.started is None
        self.started = {key: value for key, value in frame.items() if key not in ("seq", "ack")}
        self.started["maxMessageBytes"] = self.max_frame - 1024
        self.limits = {key: number_in(limits, key, 0) for key in ("timeMs", "memoryBytes", "outputChars", "pendingCalls")}
        self.leash = max(1.0, number_in(frame, "leashMs", 60_000) / 1000)
        self.guest.send(self.started)
        if not is_first:
            self.send({"type": "started"})

    def take_execute(self, frame):
        number, name, code = frame.get("execution"), frame.get("id"), frame.get("code")
        variables = frame.get("variables")
        if not is_count(number) or not isinstance(name, str) or not isinstance(code, str) or not isinstance(variables, dict):
            raise Garbage("an execute without number, id, code or variables")
        if self.execution is not None and not self.execution.is_over and self.execution.name != name:
            self.send_failed(number, "a block is running")
            return
        if self.executed and self.executed[-1] == name:
            if code != self.code:
                self.send_failed(number, "that block was run before, with other code")
            else:
                self.repeat(number)
            return
        if name in self.executed:
            self.send_failed(number, "that block was run before, and another after it")
            return
        self.executed.append(name)
        self.code = code
        self.queued = (number, name, code, variables)
        if self.execution is None or self.execution.has_unwound:
            self.begin_queued()

    def begin_queued(self):
        """Begins the next block when all code of the block before has ended."""
        if self.queued is None:
            return
        (number, name, code, variables), self.queued = self.queued, None
        self.history = []
        self.execution = Execution(len(self.executed), number, name, self)
        if self.must_report_loss:
            self.execution.report(self, {"type": "console", "level": "warn", "text": LOST})
        self.must_report_loss = False
        message = {"type": "execute", "execution": self.execution.own, "code": code, "variables": variables}
        self.guest.send(message)

    def repeat(self, number):
        """Sends all reports of the last block again, and continues from there."""
        if self.queued is not None:
            self.queued = (number, *self.queued[1:])
            return
        self.execution.number = number
        for message in self.history:
            self.send(dict(message, execution=number))

    def send_failed(self, number, why):
        self.send({"type": "failed", "execution": number, "error": {"code": "executor", "message": why}})

    def take_deliver(self, frame):
        request, call, outcome = frame.get("request"), frame.get("call"), frame.get("outcome")
        if not is_count(request) or not is_count(call) or not is_outcome(outcome):
            raise Garbage("a deliver without request, call or outcome")
        execution = self.execution
        if execution is None or execution.is_over:
            self.send({"type": "rested", "request": request})
            return
        reaches = frame.get("execution") == execution.number and call in execution.open
        if reaches:
            execution.close_call(call, self)
        execution.questions.add(request)
        own = execution.own if reaches else 0
        self.guest.send({"type": "deliver", "request": request, "execution": own, "call": call, "outcome": outcome})

    def take_stop(self, frame):
        execution, reason = self.execution, frame.get("reason")
        if self.queued is not None and self.queued[0] == frame.get("execution"):
            self.executed.pop()
            self.queued = None
            error = {"code": "code-execution", "name": "Stopped", "message": "the block was stopped before it began"}
            result = {"type": "stopped", "reason": "aborted", "error": error, "unawaited": []}
            self.send({"type": "result", "execution": frame["execution"], "result": result})
        elif execution is not None and not execution.is_over and frame.get("execution") == execution.number:
            execution.stop(self, reason if isinstance(reason, str) else "aborted", "the block was stopped")

    def ask_guest(self, kind, frame):
        if not is_count(frame.get("request")):
            raise Garbage("a question without number")
        if kind == "is-program":
            if not isinstance(frame.get("code"), str):
                raise Garbage("is-program without code")
            self.send({"type": kind, "request": frame["request"], "isProgram": is_program(frame["code"])})
            return
        newest = frame.get("newest")
        newest = newest if is_count(newest) else None
        question = {"type": kind, "request": frame["request"], "newest": newest, "previews": frame.get("previews") is not False}
        self.guest.send(question)

    # -- the guest

    def watch_children(self):
        """Observes the end of child processes: a guest may end while a process that it started keeps its pipes open."""
        wakes, self.child_ended = os.pipe()
        for descriptor in (wakes, self.child_ended):
            os.set_blocking(descriptor, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.child_ended, warn_on_full_buffer=False)
        self.selector.register(wakes, selectors.EVENT_READ, self.collect_children)

    def collect_children(self, descriptor):
        read_now(descriptor)
        guest = self.guest
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid == guest.pid:
                guest.record_exit(status)
        if not guest.is_dead:
            return
        self.read_guest(guest.reads)  # The pipe may contain messages that the guest sent before it ended.
        if self.guest is guest and not self.is_ended:
            self.guest_died()

    def new_guest(self):
        self.guest = GuestProcess()
        if self.started is not None:
            self.guest.send(self.started)

    def replace_guest(self):
        for descriptor in (self.guest.reads, self.guest.out, self.guest.err, self.guest.writes):
            self.watch(descriptor, None, False)
        self.guest.kill()
        self.guest.close()
        self.new_guest()

    def flush_guest(self, _descriptor):
        self.guest.flush()

    def read_printed(self, _descriptor):
        self.drain_printed()
        if self.guest.reap() is not None:
            self.guest_died()

    def drain_printed(self):
        """Reports output that did not pass through the program's own print, such as that of a process that it started."""
        guest = self.guest
        for descriptor, level in ((guest.out, "log"), (guest.err, "error")):
            while True:
                data = read_now(descriptor, 1 << 16)
                if not data:
                    if data == b"":
                        guest.ended.add(descriptor)
                    break
                guest.texts[level] += data
                *lines, guest.texts[level] = guest.texts[level].split(b"\n")
                if len(guest.texts[level]) > 1 << 16:
                    lines.append(guest.texts[level])
                    guest.texts[level] = b""
                if lines and self.execution is not None:
                    self.execution.printed(self, level, b"\n".join(lines).decode("utf-8", "replace"))
                if self.is_window_full() or self.guest is not guest:
                    return

    def end_printed(self):
        for level in ("log", "error"):
            rest, self.guest.texts[level] = self.guest.texts[level], b""
            if rest and self.execution is not None:
                self.execution.printed(self, level, rest.decode("utf-8", "replace"))

    def read_guest(self, descriptor):
        guest = self.guest
        data = read_now(descriptor, 1 << 18)
        if data is None:
            return
        if data == b"":
            self.guest_died()
            return
        for line in guest.lines.feed(data):
            self.drain_printed()
            if self.guest is not guest:
                return
            self.take_from_guest(self.parsed(line))
            if self.guest is not guest or self.is_ended:
                return

    def guest_died(self):
        self.drain_printed()
        execution, status = self.execution, self.guest.status_at_end()
        if execution is not None and not execution.is_over:
            self.end_printed()
            execution.died(self, status)
        else:
            self.must_report_loss = execution is not None
        self.replace_guest()
        if execution is not None:
            execution.has_unwound = True
        self.begin_queued()

    def take_from_guest(self, message):
        kind, execution = message["type"], self.execution
        if kind == "started":
            if not self.has_started:
                self.has_started = True
                self.send({"type": "started"})
        elif kind == "rested":
            if execution is not None and message.get("request") in execution.questions:
                execution.questions.discard(message["request"])
                self.send({"type": "rested", "request": message["request"]})
        elif kind == "variables":
            if not is_count(message.get("request")) or not isinstance(message.get("variables"), list):
                raise Garbage("variables without request")
            self.send({"type": "variables", "request": message["request"], "variables": message["variables"]})
        elif execution is None or message.get("execution") != execution.own:
            return
        elif kind == "unwound":
            execution.has_unwound = True
            execution.unwound(self)
            self.begin_queued()
        elif execution.is_over:
            return
        elif kind == "console":
            level = message.get("level")
            if level not in ("log", "error") or not isinstance(message.get("text"), str):
                raise Garbage("a line without level or text")
            execution.printed(self, level, message["text"])
        elif kind == "call":
            execution.called(self, message)
        elif kind == "result":
            self.end_printed()
            execution.ended(self, message.get("result"))
        else:
            raise Garbage("the type %s from the guest" % kind[:40])


class StopGrace:
    """The time of a guest from a stop to its kill. Only the processor time that it uses counts, and the time in which it waits: a guest that gets no
    processor time must not be killed for it."""

    def __init__(self, guest, is_abort):
        self.guest = guest
        self.looked_at = time.monotonic()
        self.deadline = self.looked_at + (MOST_AFTER_ABORT if is_abort else MOST_STOP)
        self.cpu = guest.cpu_seconds()
        self.used = 0.0
        self.interrupt_at = self.looked_at

    def interrupt(self):
        """Interrupts the program several times, because it may catch an interrupt, or may not have begun at the first one."""
        now = time.monotonic()
        if now >= self.interrupt_at:
            self.interrupt_at = now + INTERRUPT_EVERY
            self.guest.signal(signal.SIGINT)

    def is_over(self):
        now, cpu = time.monotonic(), self.guest.cpu_seconds()
        # Limited, because this process may have had no processor time either.
        waited = min(now - self.looked_at, 2 * STOP_TICK) if self.guest.is_waiting() else 0.0
        self.used += max(cpu - self.cpu, waited)
        self.looked_at, self.cpu = now, cpu
        return self.used >= SOFT_STOP or now >= self.deadline


class Execution:
    """A running block, its clock and its open calls."""

    def __init__(self, own, number, name, supervisor):
        self.own, self.number, self.name = own, number, name
        self.is_over = self.has_unwound = False
        self.calls, self.open, self.printed_chars = 0, set(), 0
        self.questions = set()
        self.reason = self.grace = None
        self.used = 0.0
        self.mark = time.monotonic()
        self.cpu_mark = supervisor.guest.cpu_seconds()
        self.memory_at = time.monotonic() + 0.1

    def report(self, supervisor, message):
        supervisor.history.append(message)
        if self.number is not None:
            supervisor.send(dict(message, execution=self.number))

    # -- time

    def account(self, supervisor):
        now, cpu = time.monotonic(), supervisor.guest.cpu_seconds()
        self.used += (cpu - self.cpu_mark) if self.open else (now - self.mark)
        self.mark, self.cpu_mark = now, cpu

    def next_timeout(self, supervisor):
        if self.grace is not None:
            return STOP_TICK
        if self.is_over:
            return 3600.0
        waits = [3600.0]
        if supervisor.limits["timeMs"]:
            left = supervisor.limits["timeMs"] / 1000 - self.used - (0 if self.open else time.monotonic() - self.mark)
            waits.append(max(left, 0.02 if self.open else 0.0))
        if supervisor.limits["memoryBytes"]:
            waits.append(max(self.memory_at - time.monotonic(), 0.0))
        return min(waits)

    def check_limits(self, supervisor):
        now = time.monotonic()
        if self.grace is not None:
            if self.grace.is_over():
                self.give_up(supervisor)
            else:
                self.grace.interrupt()
            return
        if self.is_over:
            return
        if supervisor.limits["timeMs"]:
            self.account(supervisor)
            if self.used * 1000 >= supervisor.limits["timeMs"]:
                seconds = "%g" % (supervisor.limits["timeMs"] / 1000)
                self.stop(supervisor, "guest-time", "the code took longer than %s s" % seconds, "do less in one step, or find a faster way")
                return
        if supervisor.limits["memoryBytes"] and now >= self.memory_at:
            self.memory_at = now + 0.1
            if supervisor.guest.resident_bytes() > supervisor.limits["memoryBytes"]:
                self.stop(supervisor, "memory", "the code ran out of memory", "keep less at the same time", at_once=True)

    # -- what the guest tells

    def printed(self, supervisor, level, text):
        if self.is_over or self.reason:
            return
        limit = supervisor.limits["outputChars"]
        room = limit - self.printed_chars if limit else len(text)
        self.printed_chars += len(text) + 1
        if len(text) <= room:
            self.report(supervisor, {"type": "console", "level": level, "text": text})
            return
        if room > 0:
            self.report(supervisor, {"type": "console", "level": level, "text": text[:room]})
        self.stop(supervisor, "output", "the code printed more than %d characters" % limit, "print less")

    def called(self, supervisor, message):
        name, args, keywords = message.get("name"), message.get("args"), message.get("keywords")
        if name not in supervisor.started["tools"] or not isinstance(args, list) or not isinstance(keywords, (dict, type(None))):
            raise Garbage("a call of nothing")
        if self.reason:
            return
        if message.get("call") != self.calls + 1:
            raise Garbage("a call out of order")
        self.account(supervisor)
        self.calls += 1
        self.open.add(self.calls)
        limit = supervisor.limits["pendingCalls"]
        if limit and len(self.open) > limit:
            self.stop(supervisor, "pending-calls", "more than %d calls were open at the same time" % limit, "await some calls before you make others")
            return
        call = {"type": "call", "call": self.calls, "name": name, "args": args}
        self.report(supervisor, dict(call, keywords=keywords) if keywords else call)

    def close_call(self, call, supervisor):
        self.account(supervisor)
        self.open.discard(call)

    def ended(self, supervisor, result):
        if not isinstance(result, dict) or result.get("type") not in ("value", "final-answer", "error"):
            raise Garbage("a result of no kind")
        unawaited = result.get("unawaited")
        if not isinstance(unawaited, list) or not all(is_count(call) for call in unawaited):
            raise Garbage("a result without calls")
        if self.reason:
            return
        self.close(supervisor, result)
        if result["type"] == "final-answer":
            self.interrupt(supervisor, is_abort=False)

    def unwound(self, supervisor):
        self.grace = None
        if self.reason:
            self.close(supervisor, self.stopped(None))

    def died(self, supervisor, status):
        self.grace = None
        killed = status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if self.reason or (killed and supervisor.limits["memoryBytes"]):
            self.reason = self.reason or ("memory", "the code ran out of memory", "keep less at the same time")
            self.close(supervisor, self.stopped(LOST))
            return
        error = {"code": "code-execution", "name": "ProcessEnded", "message": how_it_ended(status), "hint": LOST}
        self.close(supervisor, {"type": "error", "error": error, "unawaited": []})

    # -- stopping

    def stop(self, supervisor, reason, message, hint=None, at_once=False):
        if self.reason or self.is_over:
            return
        self.reason = (reason, message, hint)
        if at_once:
            self.give_up(supervisor)
            return
        self.interrupt(supervisor, is_abort=reason == "aborted")

    def interrupt(self, supervisor, is_abort):
        self.grace = StopGrace(supervisor.guest, is_abort)
        self.grace.interrupt()

    def give_up(self, supervisor):
        supervisor.replace_guest()
        self.has_unwound = True
        self.grace = None
        if self.is_over:
            supervisor.must_report_loss = True
        else:
            self.close(supervisor, self.stopped(LOST))
        supervisor.begin_queued()

    def stopped(self, lost):
        reason, message, hint = self.reason
        error = {"code": "code-execution", "name": "Stopped", "message": message}
        hints = "; ".join(text for text in (hint, lost) if text)
        return {"type": "stopped", "reason": reason, "error": dict(error, hint=hints) if hints else error, "unawaited": []}

    def close(self, supervisor, result):
        self.is_over = True
        self.open.clear()
        self.report(supervisor, {"type": "result", "result": result})
        for request in self.questions:
            supervisor.send({"type": "rested", "request": request})
        self.questions = set()


LOST = "the process was restarted, so the variables of earlier steps are gone"


def how_it_ended(status):
    if status is None:
        return "the code closed the pipe of its own process, which was killed"
    how = "signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else "exit code %d" % os.WEXITSTATUS(status)
    return "the process of the code ended with %s" % how


def is_count(value):
    return type(value) is int and 0 <= value <= MAX_SAFE


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_outcome(value):
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    return "value" in value if value["type"] == "ok" else isinstance(value.get("error"), dict)


def number_in(record, key, default):
    value = record.get(key)
    return min(value, MAX_SAFE) if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 else default


if __name__ == "__main__":
    Supervisor().run()
    os._exit(0)
