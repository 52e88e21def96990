// A child process that is killed from outside when it gets code to run. The operating system kills
// processes in this way when memory runs out.
process.on("message", (message) => {
  if (message.type === "start") process.send(JSON.stringify({ type: "ready" }));
  else if (JSON.parse(message).type === "execute") process.kill(process.pid, "SIGKILL");
});
