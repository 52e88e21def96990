// Forbidden URLs, made from forbidden addresses in every notation, and unusual public URLs that are
// allowed.

/** An address that no model may reach, and one way to write it in a URL. */
export interface ForbiddenCase {
  readonly url: string;
  /** The address as a resolver returns it. */
  readonly address: string;
}

/** IPv4 addresses in every range that is not public: the first, the last, and some between them. */
const forbiddenIpv4: readonly string[] = [
  ..."127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.255 0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.1 10.255.255.255 10.96.0.1".split(
    " ",
  ),
  ..."172.16.0.1 172.17.0.1 172.31.255.255 192.168.0.1 192.168.1.1 192.168.255.255 169.254.169.254 169.254.170.2".split(
    " ",
  ),
  ..."169.254.0.1 169.254.255.255 100.64.0.1 100.100.100.200 100.127.255.255 192.0.0.1 192.0.0.192 192.0.2.1".split(
    " ",
  ),
  ..."198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1".split(" "),
  ..."255.255.255.255 168.63.129.16".split(" "),
];

/**
 * IPv6 addresses in every range that is not public, and IPv6 addresses that contain an IPv4
 * address.
 */
const forbiddenIpv6: readonly string[] = [
  ..."::1 :: ::2 fe80::1 fe80::a9fe:a9fe febf::1 fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fec0::1 feff::1 ff02::1".split(
    " ",
  ),
  ..."ff05::2 2001:db8::1 3fff::1 100::1 2001::1 2001:10::1 2001:20::1 2001:2::1 5f00::1 4000::1 64:ff9b:1::1".split(
    " ",
  ),
];

/** Returns ways to write an IPv4 address. */
function notations(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
  const hex = (part: number): string => `0x${part.toString(16)}`;
  const octal = (part: number): string => `0${part.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b}.${(c << 8) | d}`,
    `${hex(a)}.${(b << 16) | (c << 8) | d}`,
    `0x${a.toString(16).padStart(6, "0")}.${b}.${octal(c)}.${hex(d)}`,
    encodeURIComponent(address).replace(/\d/g, (digit) => `%3${digit}`),
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(".", "\u3002"),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:470:1f0b::5efe:${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
  ];
}

/** Functions that put a host into a URL. */
const wrappings: readonly ((host: string) => string)[] = [
  (host) => `http://${host}/`,
  (host) => `HTTP:\\\\${host}\\latest\\meta-data`,
  (host) => `http://public.example@${host}/`,
  (host) => `http:///${host}:80/?next=http://public.example/`,
  (host) => ` \thttp://${host}/#@public.example/`,
  (host) => `https://${host}:443/`,
];

/**
 * Every forbidden address in every notation. The cases use the functions of `wrappings` in turn.
 */
export const forbiddenCases: readonly ForbiddenCase[] = [
  ...forbiddenIpv4.flatMap((address) => notations(address).map((host) => ({ host, address }))),
  ...forbiddenIpv6.flatMap((address) =>
    [`[${address}]`, `[${address.toUpperCase()}]`, `[${address}%25eth0]`].map((host) => ({ host, address })),
  ),
].map(({ host, address }, index) => ({ url: (wrappings[index % wrappings.length] ?? String)(host), address }));

/** URLs that are forbidden because of their scheme, port or host name. */
export const forbiddenForms: readonly string[] = [
  ..."file:///etc/passwd ftp://public.example/ gopher://127.0.0.1:6379/_INFO data:text/html,hi javascript:1 ws://public.example/".split(
    " ",
  ),
  ..."blob:http://public.example/1 dict://127.0.0.1:11211/ ldap://127.0.0.1/ jar:http://public.example!/ about:blank //127.0.0.1/ /etc/passwd".split(
    " ",
  ),
  ..."http://public.example:22/ http://public.example:6379/ https://public.example:2375/ http://public.example:8080/ http://public.example:0/".split(
    " ",
  ),
  ..."http://localhost/ http://LOCALHOST./ http://a.localhost/ http://metadata.google.internal/ http://router.lan/ http://printer.local/".split(
    " ",
  ),
  ..."http://metadata/ http://kubernetes.default.svc.cluster.local/ http://user:secret@public.example/ http://token@public.example/".split(
    " ",
  ),
  ..."http:/// http:// http://[::1 http://127.0.0.1:99999/ http://%00/ http://256.256.256.256/ http://1.2.3.4.5.6/".split(
    " ",
  ),
];

/** Addresses just outside the forbidden ranges, and some well-known addresses. */
const publicIpv4: readonly string[] =
  "1.0.0.1 1.1.1.1 8.8.8.8 9.9.9.9 9.255.255.255 11.0.0.0 12.34.56.78 23.0.0.1 64.233.160.1 93.184.216.34 100.63.255.255 100.128.0.0 104.16.0.1 126.255.255.255 128.0.0.1 140.82.112.3 151.101.1.69 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 185.199.108.153 191.255.255.255 192.0.1.1 192.0.3.1 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 208.80.154.224 223.255.255.255".split(
    " ",
  );

const publicIpv6: readonly string[] =
  "2606:4700:4700::1111 2001:4860:4860::8888 2620:fe::fe 2a00:1450:4001:81b::200e 2600:: 2400:cb00::1 2c0f:fb50::1 2803:f800::1 2001:41d0::1 2001:67c::1 2a02:26f0::1 240e::1".split(
    " ",
  );

const publicNames: readonly string[] =
  "public.example www.public.example PUBLIC.EXAMPLE public.example. a-b-c.public.example xn--bcher-kva.example bücher.example _dmarc.public.example 127.0.0.1.public.example 10.public.example localhost.public.example internal.public.example local.example metadata.example 1e100.example 0x7f.public.example home.public.example 日本語.example".split(
    " ",
  );

const publicPaths: readonly string[] = [
  "/",
  "/a/b?c=d&e=http://127.0.0.1/#frag",
  "/%2e%2e/@127.0.0.1",
  "/wiki/Salmon_(fish)?x=1;y=[::1]",
];

/** Public URLs in more than 200 forms. */
export const publicUrls: readonly string[] = [
  ...publicIpv4,
  ...publicIpv6.map((address) => `[${address}]`),
  ...publicNames,
]
  .flatMap((host) => publicPaths.map((path) => `http://${host}${path}`))
  .concat(
    publicIpv4
      .slice(0, 10)
      .flatMap((host) => [`http://${host}:80/`, `HTTP://${notations(host)[2]}/`, `http://${notations(host)[3]}/`]),
  );
