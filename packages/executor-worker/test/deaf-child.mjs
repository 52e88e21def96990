// A child process that reacts to nothing after it gets code to run, not even to the end of its
// host.
process.on("message", (message) => {
  if (message.type === "start") process.send(JSON.stringify({ type: "ready" }));
  else while (typeof message === "string" && JSON.parse(message).type === "execute");
});
