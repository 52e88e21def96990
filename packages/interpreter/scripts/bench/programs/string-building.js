// A report in Markdown and HTML, built from pieces.

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function titleCase(text) {
  return text
    .split(" ")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(" ");
}

function wrap(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  return lines;
}

function isPalindrome(text) {
  const letters = text.toLowerCase().replace(/[^a-z]/g, "");
  return letters === [...letters].reverse().join("");
}

function main() {
  let markdown = "# Report\n\n";
  let html = "<table>";
  const words = "the quick brown fox jumps over <the> lazy dog & runs away".split(" ");
  for (let i = 0; i < 1_500; i++) {
    const text = Array.from({ length: 14 }, (_, k) => words[(i * 7 + k * 3) % words.length]).join(" ");
    markdown += `## ${titleCase(text)}\n\n`;
    for (const line of wrap(text, 30)) markdown += `- ${line.padEnd(32, ".")}|\n`;
    html += "<tr><td>" + escapeHtml(text) + "</td><td>" + i.toString(16).padStart(6, "0") + "</td></tr>";
  }
  html += "</table>";
  const letters = {};
  for (const character of markdown.slice(0, 60_000)) letters[character] = (letters[character] ?? 0) + 1;
  let hash = 0;
  for (let i = 0; i < html.length; i += 3) hash = (hash * 31 + html.charCodeAt(i)) | 0;
  return (
    markdown.length +
    html.length +
    Object.keys(letters).length +
    letters.e +
    (hash % 1_000) +
    (isPalindrome("Never odd or even") ? 1 : 0)
  );
}
