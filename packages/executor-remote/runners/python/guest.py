# The guest: runs the model's code, in a separate process or in WebAssembly. Needs Python >= 3.9 and only the standard library.
#
# This file handles values, tools, blocks and their errors. A Port sends and receives the messages.

import ast
import asyncio
import base64
import builtins
import collections.abc
import datetime
import decimal
import difflib
import enum
import inspect
import io
import json
import linecache
import math
import sys
import threading
import traceback
import types

# Read in this way, because classes of a program may report other names, or run code when their name is read.
_NAME, _MODULE = type.__dict__["__name__"], type.__dict__["__module__"]


def name_of(kind):
    return _NAME.__get__(kind)


def package_of(value):
    """Returns the name of the package that defines a value's class."""
    module = _MODULE.__get__(type(value))
    return module.split(".", 1)[0] if type(module) is str else ""


MAX_DEPTH = 1000
MAX_SAFE = 2**53 - 1
# About 100,000 digits. The host would need too long to read more.
MAX_INT_BITS = 332_192
# The longest line that is printed, in characters. Longer lines are printed in pieces, so that each piece fits into a message.
MAX_LINE = 1_000_000


class CodecError(ValueError):
    """A value cannot be encoded for the host."""


# ---------------------------------------------------------------- values


def encode(value):
    """Returns a value as JSON, in the format of encodeValue of the protocol."""
    try:
        return _Encoder().encode(value, ())
    except RecursionError:
        raise CodecError("value is nested too deep to be copied out of the sandbox")


class _Encoder:
    def __init__(self):
        self.open = set()
        self.done = {}
        self.kept = []  # Keeps the objects alive, because ids are unique only among living objects.
        self.ids = {}

    def encode(self, value, path):
        encoded = self.visit(value, path)
        return self.mark(encoded) if self.ids else encoded

    def visit(self, value, path):
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            if value.bit_length() > MAX_INT_BITS:
                self.refuse(path, "an integer of more than 100000 digits")
            return value if -MAX_SAFE <= value <= MAX_SAFE else {"$": "bigint", "value": _digits(value)}
        if kind is float:
            return _encode_float(value)
        return self.visit_object(value, path)

    def visit_object(self, value, path):
        value = _plain(value, path)
        if value is None or isinstance(value, (bool, int, float, str)):
            return self.visit(_primitive(value), path)
        key = id(value)
        if key in self.open:
            self.refuse(path, "a cycle")
        if key in self.done:
            return self.refer(self.done[key])
        if len(path) >= MAX_DEPTH:
            self.refuse((), "nested more than %d deep" % MAX_DEPTH)
        self.open.add(key)
        encoded = self.visit_shape(value, path)
        self.open.discard(key)
        self.done[key] = encoded
        self.kept.append(value)
        return encoded

    def visit_shape(self, value, path):
        if isinstance(value, (list, tuple, collections.deque)):
            return [self.visit(item, path + (index,)) for index, item in enumerate(value)]
        if isinstance(value, dict):
            return self.visit_dict(value, path)
        if isinstance(value, (set, frozenset)):
            return {"$": "set", "values": [self.visit(item, path + (index,)) for index, item in enumerate(value)]}
        if isinstance(value, (bytes, bytearray, memoryview)):
            return {"$": "bytes", "value": base64.b64encode(bytes(value)).decode("ascii")}
        if isinstance(value, datetime.datetime):
            return {"$": "date", "value": _number(value.timestamp() * 1000)}
        return self.refuse(path, _kind_of(value))

    def visit_dict(self, value, path):
        if not all(type(key) is str for key in value):
            return {
                "$": "map",
                "entries": [
                    [self.visit(key, path + (index, 0)), self.visit(item, path + (index, 1))]
                    for index, (key, item) in enumerate(value.items())
                ],
            }
        if "__proto__" in value:
            self.refuse(path + ("__proto__",), 'under the key "__proto__"')
        if "$" in value:
            return {"$": "object", "entries": [[key, self.visit(item, path + (key,))] for key, item in value.items()]}
        return {key: self.visit(item, path + (key,)) for key, item in value.items()}

    def refer(self, encoded):
        number = self.ids.setdefault(id(encoded), len(self.ids) + 1)
        return {"$": "ref", "id": number}

    def mark(self, encoded):
        number = self.ids.get(id(encoded))
        if isinstance(encoded, list):
            inner = [self.mark(item) for item in encoded]
        elif isinstance(encoded, dict):
            inner = {key: self.mark(item) for key, item in encoded.items()}
        else:
            return encoded
        return inner if number is None else {"$": "shared", "id": number, "value": inner}

    def refuse(self, path, what):
        place = "".join("[%s]" % json.dumps(key) for key in path)
        raise CodecError(
            "value%s is %s, which cannot be copied out of the sandbox: use plain data (dict, list, str, int, float, bool, None, "
            "datetime, bytes, set)" % (place, what)
        )


def _digits(value):
    limit = getattr(sys, "get_int_max_str_digits", lambda: 0)()
    if limit:
        sys.set_int_max_str_digits(0)
    try:
        return str(value)
    finally:
        if limit:
            sys.set_int_max_str_digits(limit)


def _primitive(value):
    """Converts an instance of a subclass of a primitive type, such as an IntEnum or numpy's float64, to the primitive type."""
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value) if kind is not str else str.__str__(value)
    return None


def _number(value):
    return int(value) if math.isfinite(value) and value == int(value) else value


def _encode_float(value):
    if value != value:
        return {"$": "number", "value": "NaN"}
    if value in (math.inf, -math.inf):
        return {"$": "number", "value": "Infinity" if value > 0 else "-Infinity"}
    if value == 0 and math.copysign(1, value) < 0:
        return {"$": "number", "value": "-0"}
    return value


def _plain(value, path):
    """Converts an object that is similar to plain data to plain data. It is recognised by its methods, so that no package has to be imported."""
    if isinstance(value, enum.Enum):
        return value.value
    module = package_of(value)
    if isinstance(value, (decimal.Decimal,)) or module in ("pathlib", "uuid", "fractions"):
        return str(value)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day, tzinfo=datetime.timezone.utc)
    if module == "pandas":
        if hasattr(value, "to_pydatetime"):
            return value.to_pydatetime()
        if hasattr(value, "columns") and hasattr(value, "to_dict"):
            return value.to_dict(orient="records")
        if hasattr(value, "tolist"):
            return value.tolist()
    if module in ("numpy", "torch") and hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: getattr(value, name) for name in type(value).__dataclass_fields__}
    if hasattr(type(value), "model_dump") and callable(value.model_dump):
        return value.model_dump()
    if isinstance(value, (type({}.keys()), type({}.values()), type({}.items()), range)):
        return list(value)
    return value


def _kind_of(value):
    if inspect.isawaitable(value):
        return "a coroutine (await it first)"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType, Tool)):
        return "a function"
    if isinstance(value, types.ModuleType):
        return "a module"
    if isinstance(value, type):
        return "a class"
    return "an instance of %s" % name_of(type(value))


def decode(encoded):
    """Returns the value of an encoding."""
    return _Decoder().decode(encoded)


class _Decoder:
    def __init__(self):
        self.shared = {}

    def decode(self, encoded):
        if isinstance(encoded, list):
            return [self.decode(item) for item in encoded]
        if not isinstance(encoded, dict):
            return encoded
        if "$" not in encoded:
            return {key: self.decode(item) for key, item in encoded.items()}
        return self.tagged(encoded)

    def tagged(self, encoded):
        tag, value = encoded["$"], encoded.get("value")
        if tag == "undefined":
            return None
        if tag == "number":
            return float(value.replace("Infinity", "inf"))
        if tag == "bigint":
            return int(value)
        if tag == "date":
            # Python has no value for JavaScript's invalid date.
            return None if value is None else datetime.datetime.fromtimestamp(value / 1000, datetime.timezone.utc)
        if tag == "bytes":
            return base64.b64decode(value)
        if tag == "map":
            return {_hashable(self.decode(key)): self.decode(item) for key, item in encoded["entries"]}
        if tag == "set":
            return {_hashable(self.decode(item)) for item in encoded["values"]}
        if tag == "array":
            items = [None] * encoded["length"]
            for index, item in encoded["items"]:
                items[index] = self.decode(item)
            return items
        if tag == "object":
            return {key: self.decode(item) for key, item in encoded["entries"]}
        if tag == "shared":
            decoded = self.decode(value)
            self.shared[encoded["id"]] = decoded
            return decoded
        if tag == "ref":
            return self.shared[encoded["id"]]
        raise CodecError("%r is not a tag" % (tag,))


def _hashable(value):
    """Converts a value so that it can be a key of a dict or a member of a set. In JavaScript lists and objects can; in Python they cannot."""
    if isinstance(value, list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, dict):
        return tuple((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, set):
        return frozenset(value)
    return value


# ---------------------------------------------------------------- tools


class FinalAnswer(BaseException):
    """Ends a block from any place in its code."""


class Stopped(BaseException):
    """Ends a block when the host stops it."""


class ToolError(Exception):
    """A call has failed. `code` is the kind of error."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Pending:
    """An open call. Either one thread waits for it, or any number of event loops."""

    def __init__(self, number, waits):
        self.number = number
        self.outcome = None
        self.thread = threading.current_thread()
        self.event = threading.Event() if waits else None
        self.waiters = []

    def result(self):
        outcome = self.outcome
        if outcome["type"] == "ok":
            return decode(outcome["value"])
        error = outcome.get("error") or {}
        hint = error.get("hint")
        raise ToolError(str(error.get("message")) + ("\n" + hint if hint else ""), error.get("code"))


BUSY_TURNS = 100


class Arrivals:
    """Outcomes on their way to an event loop. They are delivered when the loop has nothing else to do, so that the program does not depend on the speed of
    the host. A loop that is never idle, such as one that polls, gets them after some turns."""

    def __init__(self):
        self.futures = []
        self.turns = 0

    def add(self, future):
        self.futures.append(future)

    def take_due(self, timeout):
        """Returns the outcomes to deliver now. `timeout` is how long the loop is about to wait; 0 means that it has more to do."""
        if not self.futures:
            return []
        self.turns += 1
        if timeout == 0 and self.turns < BUSY_TURNS:
            return []
        futures, self.futures, self.turns = self.futures, [], 0
        return futures


class Call(collections.abc.Coroutine):
    """The result of `tool.aio(...)`. The call has already been sent. The object can be awaited, gathered or made a task."""

    __name__ = __qualname__ = "aio"

    def __init__(self, guest, pending):
        self._guest = guest
        self._pending = pending
        self._steps = None

    async def _wait(self):
        await self._guest.arrived(self._pending)
        return self._guest.received(self._pending)

    def __await__(self):
        return self._wait().__await__()

    def send(self, value):
        if self._steps is None:
            self._steps = self._wait()
        return self._steps.send(value)

    def throw(self, *args):
        if self._steps is None:
            self._steps = self._wait()
        return self._steps.throw(*args)

    def close(self):
        if self._steps is not None:
            self._steps.close()


class Tool:
    """A function that runs on the host."""

    def __init__(self, guest, name):
        self._guest = guest
        self.__name__ = self.__qualname__ = name

    def __call__(self, *args, **kwargs):
        return self._guest.call(self.__name__, args, kwargs)

    def aio(self, *args, **kwargs):
        return self._guest.call_aio(self.__name__, args, kwargs)

    def forward(self, *args, **kwargs):
        return self(*args, **kwargs)

    def __repr__(self):
        return "<function %s>" % self.__name__


class FinalAnswerTool(Tool):
    def __call__(self, *args, **kwargs):
        self._guest.answer(args, kwargs)
        raise FinalAnswer()

    def aio(self, *args, **kwargs):
        return self(*args, **kwargs)


# ---------------------------------------------------------------- printing


class Printer(io.TextIOBase):
    """Splits printed text into lines, and keeps its order relative to calls."""

    encoding = "utf-8"

    def __init__(self, guest, level, descriptor):
        self._guest = guest
        self._level = level
        self._descriptor = descriptor
        self._rest = ""
        self._lock = threading.RLock()

    def writable(self):
        return True

    def isatty(self):
        return False

    def fileno(self):
        return self._descriptor

    def write(self, text):
        text = str(text)
        with self._lock:
            self._rest += text
            if "\n" in text:
                lines, self._rest = self._rest.rsplit("\n", 1)
                self._guest.printed(self._level, lines)
            if len(self._rest) > MAX_LINE:
                self.end_line()
        return len(text)

    def end_line(self):
        with self._lock:
            if self._rest:
                rest, self._rest = self._rest, ""
                self._guest.printed(self._level, rest)

    def flush(self):
        pass


# ---------------------------------------------------------------- imports


class ImportRefused(ImportError):
    """The program imports a module that is not allowed."""


def importer(allowed):
    """Returns the `__import__` for the program's own code. The modules that it imports may import anything."""
    real = builtins.__import__

    def is_allowed(name):
        for rule in allowed:
            base = rule[:-2] if rule.endswith(".*") else rule
            if name == base or base.startswith(name + ".") or (rule.endswith(".*") and name.startswith(base + ".")):
                return True
        return False

    def guarded(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0 and not is_allowed(name):
            raise ImportRefused('the import of "%s" is not allowed' % name, name=name)
        return real(name, globals, locals, fromlist, level)

    return guarded


def importable_text(allowed):
    return ", ".join(sorted({rule[:-2] if rule.endswith(".*") else rule for rule in allowed}))


# ---------------------------------------------------------------- programs

_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def is_program(code):
    try:
        compile(code, "<program>", "exec", _FLAGS, dont_inherit=True)
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False


class _Renamer(ast.NodeTransformer):
    """A variable with the same name as the function that ends the run. Models write `final_answer = ...; final_answer(final_answer)`."""

    def __init__(self, name):
        self.name = name

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == self.name:
            node.args = [self.visit(item) for item in node.args]
            node.keywords = [self.visit(item) for item in node.keywords]
            return node
        return self.generic_visit(node)

    def visit_Name(self, node):
        if node.id == self.name:
            node.id = self.name + "_variable"
        return node


def _bound_names(tree):
    """Yields the names that the program assigns at its top level."""
    for node in _top_level(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.id, node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0], getattr(node, "lineno", 1)


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _top_level(node):
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _SCOPES):
            yield from _top_level(child)


class NameTaken(Exception):
    """The program assigns to the name of a tool, which would then be lost."""

    def __init__(self, name, line):
        super().__init__('"%s" is a function that you can call, so it cannot be the name of something else' % name)
        self.line = line


class Program:
    """A compiled block: its statements, and separately its last expression."""

    def __init__(self, code, name, tools, final_answer):
        tree = compile(code, name, "exec", ast.PyCF_ONLY_AST | _FLAGS, dont_inherit=True)
        if final_answer and any(bound == final_answer for bound, _ in _bound_names(tree)):
            tree = ast.fix_missing_locations(_Renamer(final_answer).visit(tree))
        for bound, line in _bound_names(tree):
            if bound in tools:
                raise NameTaken(bound, line)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self.parts = []
        if tree.body:
            self.parts.append(compile(tree, name, "exec", _FLAGS, dont_inherit=True))
        self.has_value = last is not None
        if last is not None:
            self.parts.append(compile(ast.Expression(last.value), name, "eval", _FLAGS, dont_inherit=True))

    @property
    def is_async(self):
        return any(part.co_flags & inspect.CO_COROUTINE for part in self.parts)

    def run(self, namespace):
        value = None
        for part in self.parts:
            value = eval(part, namespace)
        return value if self.has_value else None

    async def run_async(self, namespace):
        value = None
        for part in self.parts:
            value = eval(part, namespace)
            if part.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value if self.has_value else None


# ---------------------------------------------------------------- what the model is shown


def text_of(value, limit):
    if isinstance(value, str):
        return value[:limit] if limit else value
    try:
        text = value.to_string() if package_of(value) == "pandas" and hasattr(value, "to_string") else repr(value)
    except RecursionError:
        text = "<%s>" % name_of(type(value))
    except Exception as error:
        text = "<%s whose repr failed: %s>" % (name_of(type(value)), _message_of(error))
    return text[:limit] if limit else text


def media_of(value):
    """Returns the pictures in a value: figures, images, and lists of them."""
    if isinstance(value, (list, tuple)) and 0 < len(value) <= 16:
        parts = [media_of(item) for item in value]
        return [part for inner in parts for part in inner] if all(parts) else []
    module = package_of(value)
    if module == "matplotlib" and hasattr(value, "savefig"):
        return [_picture(lambda file: value.savefig(file, format="png", bbox_inches="tight"))]
    if module == "PIL" and hasattr(value, "save"):
        return [_picture(lambda file: value.save(file, "PNG"))]
    png = getattr(type(value), "_repr_png_", None)
    if png is not None and module not in ("builtins",):
        data = png(value)
        if isinstance(data, bytes):
            return [{"mediaType": "image/png", "data": base64.b64encode(data).decode("ascii")}]
    return []


def _picture(save):
    file = io.BytesIO()
    save(file)
    return {"mediaType": "image/png", "data": base64.b64encode(file.getvalue()).decode("ascii")}


def open_figures():
    """Returns the open figures of pyplot. They are closed, so that each is shown only once."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    pictures = [picture for figure in figures for picture in media_of(figure)]
    pyplot.close("all")
    return pictures


def error_of(error, namespace, allowed):
    """Describes an error for the model: its type, its message, the failing lines, and what to do."""
    name = name_of(type(error))
    lines = ["%s: %s" % (name, _message_of(error))]
    if isinstance(error, NameTaken):
        lines = ["%s" % error]
    if isinstance(error, SyntaxError):
        lines = _syntax_lines(error)
    else:
        lines += _frame_lines(error)
    serialized = {"code": "code-execution", "name": name, "message": "\n".join(lines)[:20000]}
    hint = _hint_for(error, namespace, allowed)
    if hint:
        serialized["hint"] = hint
    if isinstance(error, ImportRefused):
        serialized["code"] = "import-refused"
    return serialized


def _message_of(error):
    try:
        text = str(error.args[0]) if isinstance(error, KeyError) and len(error.args) == 1 else str(error)
    except (Stopped, FinalAnswer):
        raise
    except BaseException:
        text = "(its message cannot be shown)"
    return text or "(no message)"


def _syntax_lines(error):
    line = (error.text or "").rstrip("\n")
    lines = ["%s: %s" % (type(error).__name__, error.msg), "  line %s: %s" % (error.lineno, line.strip())]
    if error.offset and line.strip():
        indent = len(line) - len(line.lstrip())
        lines.append(" " * (len("  line %s: " % error.lineno) + max(error.offset - 1 - indent, 0)) + "^")
    return lines


def _frame_lines(error):
    if isinstance(error, NameTaken):
        return ["  line %d: %s" % (error.line, linecache.getline(_current_name[0], error.line).strip())]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<block ")]
    shown = frames if len(frames) <= 6 else frames[:2] + frames[-4:]
    lines = []
    for frame in shown:
        place = "line %d" % frame.lineno
        if frame.filename != _current_name[0]:
            place = "%s of %s" % (place, frame.filename.strip("<>"))
        if frame.name != "<module>":
            place += ", in %s" % frame.name
        lines.append("  %s: %s" % (place, linecache.getline(frame.filename, frame.lineno).strip()[:300]))
    return lines


_current_name = [""]


def _hint_for(error, namespace, allowed):
    if isinstance(error, ImportRefused):
        return "import one of these, or do without: %s" % importable_text(allowed)
    if isinstance(error, ModuleNotFoundError):
        return "the module is not installed here: do without it"
    if isinstance(error, NameTaken):
        return "choose another name for it"
    if isinstance(error, NameError):
        name = getattr(error, "name", None) or (str(error).split("'") + [""])[1]
        near = difflib.get_close_matches(name, [key for key in namespace if not key.startswith("__")], 1)
        return 'did you mean "%s"?' % near[0] if near else None
    if isinstance(error, KeyError) and error.args:
        return "print the keys of the dictionary before you rely on one"
    return None


def summary_of(name, value, previews):
    """Describes a variable without running code of the program. It is called between blocks, where nothing could stop such code."""
    summary = {"name": name, "type": _type_text(value), "preview": ""}
    size = _size_of(value)
    if size is not None:
        summary["size"] = size
    if previews:
        summary["preview"] = _preview(value)
    return summary


_SIZED = (str, bytes, list, tuple, set, frozenset, dict)


def _size_of(value):
    kind = next((kind for kind in _SIZED if issubclass(type(value), kind)), None)
    if kind is not None:
        return kind.__len__(value)
    try:
        return len(value) if package_of(value) in ("numpy", "pandas") and hasattr(value, "__len__") else None
    except Exception:
        return None


def _type_text(value):
    if type(value) in (types.FunctionType, types.BuiltinFunctionType, types.MethodType):
        return "function"
    if issubclass(type(value), type):
        return "class"
    kind = name_of(type(value))
    if type(value) in (list, set, tuple) and value:
        kinds = {name_of(type(item)) for item in list(value)[:50]}
        return "%s[%s]" % (kind, kinds.pop()) if len(kinds) == 1 else kind
    return kind


_PLAIN = (int, float, bool, str, bytes, type(None))


def _preview(value):
    """Returns a preview without running code of the program, so only plain values have one."""
    if type(value) in _PLAIN:
        return repr(value if not isinstance(value, (str, bytes)) else value[:200])[:100]
    if type(value) in (list, tuple, set, dict):
        items = list(value.items() if type(value) is dict else value)[:20]
        flat = [part for item in items for part in (item if type(value) is dict else (item,))]
        if all(type(part) in _PLAIN and (not isinstance(part, (str, bytes)) or len(part) < 200) for part in flat):
            text = repr(type(value)(items)) if len(value) <= 20 else repr(items)[:-1] + ", ..."
            return text[:100]
    return ""


# ---------------------------------------------------------------- the guest


class Guest:
    """Runs blocks in one namespace. `port` sends messages, waits for outcomes and wakes event loops."""

    def __init__(self, port):
        self.port = port
        self.namespace = {"__name__": "__main__", "__doc__": None}
        self.tools = {}
        self.final_answer = None
        self.allowed = None
        self.output_limit = 0
        self.max_message = 15 * 1024 * 1024
        self.execution = 0
        self.calls = 0
        self.pending = {}
        self.unreceived = set()  # The calls whose outcome the program has not received yet.
        self.is_over = True
        self.lock = port.lock
        self.printers = (Printer(self, "log", 1), Printer(self, "error", 2))

    def start(self, message):
        self.final_answer = message.get("finalAnswer")
        self.output_limit = int((message.get("limits") or {}).get("outputChars") or 0)
        for name in message["tools"]:
            kind = FinalAnswerTool if name == self.final_answer else Tool
            self.tools[name] = self.namespace[name] = kind(self, name)
        self.max_message = int(message.get("maxMessageBytes") or self.max_message)
        allowed = message.get("imports")
        scope = dict(vars(builtins))
        if allowed is not None and "*" not in allowed:
            self.allowed = list(allowed)
            scope["__import__"] = importer(self.allowed)
        self.namespace["__builtins__"] = scope

    # -- calls

    def ask(self, name, args, kwargs, waits):
        encoded = [encode(arg) for arg in args]
        message = {"type": "call", "name": name, "args": encoded}
        if kwargs:
            message["keywords"] = {key: encode(value) for key, value in kwargs.items()}
        self.must_fit(message, 'the arguments of "%s"' % name)
        with self.lock:
            if self.is_over:
                raise Stopped()
            self.end_lines()
            self.calls += 1
            pending = Pending(self.calls, waits)
            self.pending[self.calls] = pending
            self.unreceived.add(self.calls)
            message.update(execution=self.execution, call=self.calls)
            if waits:
                message["waits"] = True
            self.port.send(message)
        return pending

    def must_fit(self, message, what):
        size = len(json.dumps(message))
        if size > self.max_message:
            raise ValueError("%s take %d bytes, more than the %d that can leave the sandbox" % (what, size, self.max_message))

    def call(self, name, args, kwargs):
        if not self.port.can_wait:
            raise RuntimeError("a plain call cannot wait here: write await %s.aio(...)" % name)
        pending = self.ask(name, args, kwargs, True)
        self.port.wait(pending)
        return self.received(pending)

    def call_aio(self, name, args, kwargs):
        return Call(self, self.ask(name, args, kwargs, False))

    def received(self, pending):
        with self.lock:
            self.unreceived.discard(pending.number)
        return pending.result()

    def unawaited(self):
        """Returns the calls whose outcome the program has not received, even if the outcome has arrived here."""
        with self.lock:
            return sorted(self.unreceived)

    def arrived(self, pending):
        """Returns a future of the running loop. It ends when the call has its outcome."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        with self.lock:
            is_here = pending.outcome is not None
            if not is_here:
                pending.waiters.append((loop, future))
        if is_here:
            self.port.wake(loop, future)
        return future

    def deliver(self, execution, number, outcome):
        """Passes an outcome to its call. Returns False if nobody waits for it."""
        with self.lock:
            pending = self.pending.pop(number, None) if execution == self.execution else None
            if pending is None:
                return False
            pending.outcome = outcome
            waiters, pending.waiters = pending.waiters, []
        for loop, future in waiters:
            self.port.wake(loop, future)
        if pending.event:
            pending.event.set()
        return True

    def answer(self, args, kwargs):
        result = {"type": "final-answer", "args": [encode(arg) for arg in args], "unawaited": []}
        if kwargs:
            result["keywords"] = {key: encode(value) for key, value in kwargs.items()}
        self.must_fit(result, "the answer")
        self.finish(result)

    def printed(self, level, text):
        with self.lock:
            for start in range(0, len(text) or 1, MAX_LINE):
                if not self.is_over:
                    piece = text[start : start + MAX_LINE]
                    self.port.send({"type": "console", "execution": self.execution, "level": level, "text": piece})

    def end_lines(self):
        for printer in self.printers:
            printer.end_line()

    # -- blocks

    def begin(self, message):
        """Begins a block. Returns its program. If it is not a valid program, reports the error and returns None."""
        with self.lock:
            self.execution = message["execution"]
            self.calls = 0
            self.pending = {}
            self.unreceived = set()
            self.is_over = False
        code = message["code"]
        name = _current_name[0] = "<block %d>" % self.execution
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            self.namespace.update({name: decode(value) for name, value in message["variables"].items()})
            return Program(code, name, self.tools, self.final_answer)
        except Exception as error:
            self.finish(self.failure(error))
            return None

    def failure(self, error):
        unawaited = self.unawaited()
        try:
            described = error_of(error, self.namespace, self.allowed or [])
        except Exception:
            described = {"code": "code-execution", "name": "Exception", "message": "an error of a class that cannot be described"}
        return {"type": "error", "error": described, "unawaited": unawaited}

    def success(self, value, unawaited):
        return {"type": "value", "output": self.output_of(value), "unawaited": unawaited}

    def output_of(self, value):
        media = open_figures() + media_of(value)
        if len(json.dumps(media)) > self.max_message // 2:
            media = []  # The media are too large to be sent. The text of the value is still sent.
        if value is None and not media:
            return None
        text = text_of(value, self.output_limit) if value is not None else ("a figure" if len(media) == 1 else "%d figures" % len(media))
        output = {"text": text[: self.max_message // 8]}
        if value is not None:
            try:
                encoded = encode(value)
                self.must_fit({"value": encoded, "media": media}, "the last value")
                output["value"] = encoded
            except Exception:
                pass  # The value is not plain data, or too large. Only its text is sent.
        if media:
            output["media"] = media
        return output

    def finish(self, result):
        """Sends the result of the block. Only the first result counts, and nothing of the block is sent after it."""
        with self.lock:
            if self.is_over:
                return
            self.end_lines()
            self.is_over = True
            self.port.send({"type": "result", "execution": self.execution, "result": result})

    def variables(self, newest, previews):
        names = [
            name
            for name, value in list(self.namespace.items())
            if type(name) is str and not name.startswith("_") and name not in self.tools and type(value) is not types.ModuleType
        ]
        if newest:
            names = names[-newest:]
        return [self.summary(name, previews) for name in names]

    def summary(self, name, previews):
        value = self.namespace.get(name)
        try:
            return summary_of(name, value, previews)
        except Exception:  # For example, an integer with more digits than Python converts to text.
            return {"name": name, "type": name_of(type(value)), "preview": ""}


class BlockRunner:
    """Runs blocks one after the other on the loop of a port."""

    def interrupt(self, _signal, frame):
        """Ends the block if the signal arrived while one was running. Code outside of blocks is never interrupted, because it must report that the block has ended."""
        while frame is not None:
            if frame.f_code is BlockRunner.run_block.__code__:
                raise Stopped()
            frame = frame.f_back

    def run_block(self, message):
        guest = self.guest
        program = guest.begin(message)
        if program is None:
            return
        try:
            value, unawaited = self.value_of(program)
            self.drain()
            result = guest.success(value, unawaited)
        except (Stopped, FinalAnswer):
            raise
        except BaseException as error:
            result = guest.failure(error)
        guest.finish(result)

    def value_of(self, program):
        """Returns the last value, and the calls that were open when the program's own code ended."""
        if not program.is_async:
            value = program.run(self.guest.namespace)
            return value, self.guest.unawaited()
        return self.loop().run_until_complete(self._value_of(program))

    async def _value_of(self, program):
        value = await program.run_async(self.guest.namespace)
        return value, self.guest.unawaited()

    def drain(self):
        """Waits until all calls of the block have their outcomes, and the code that waited for them has run."""
        if self.guest.pending or (self.event_loop and asyncio.all_tasks(self.event_loop)):
            self.loop().run_until_complete(self._drained())

    async def _drained(self):
        guest, me = self.guest, asyncio.current_task()
        while not guest.is_over:
            if guest.pending:
                await asyncio.wait([guest.arrived(pending) for pending in list(guest.pending.values())])
            for _ in range(3):
                await asyncio.sleep(0)
            if guest.pending:
                continue
            tasks = [task for task in asyncio.all_tasks() if task is not me]
            if not tasks:
                return
            # Tasks that wait for anything other than calls get a short time to end.
            await asyncio.wait(tasks, timeout=0.2)
            if not guest.pending:
                return
