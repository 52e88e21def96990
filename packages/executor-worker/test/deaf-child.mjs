// A child process that no longer reacts once code runs, not even when its host ends.
process.on("message", (message) => {
  if (message.type === "start") process.send(JSON.stringify({ type: "ready" }));
  else while (typeof message === "string" && JSON.parse(message).type === "execute");
});
