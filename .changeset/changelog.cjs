// Writes the lines of the changelogs. A change of a dependency is in that package's own changelog, so it gets no line here.

module.exports = {
  getReleaseLine: async ({ summary }) => (summary.includes("\n- ") ? summary : `- ${summary.replaceAll("\n", "\n  ")}`),
  getDependencyReleaseLine: async () => "",
};
