// A child process that is killed from outside as soon as it is to run code: what the operating
// system does when memory runs out.
process.on("message", (message) => {
  if (message.type === "start") process.send(JSON.stringify({ type: "ready" }));
  else if (JSON.parse(message).type === "execute") process.kill(process.pid, "SIGKILL");
});
