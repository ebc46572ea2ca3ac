/**
 * Compares this crate with Pi itself on made-up session files, healthy and odd ones. A developer's tool: it needs an
 * installed Pi, and skips with a message where there is none. It uses no network and works on copies.
 *
 *   cargo build -p lookback-session-model --example inspect
 *   PI_PKG=…/node_modules/@earendil-works/pi-coding-agent node crates/session-model/tests/against-pi.mjs [COUNT] [SEED] [--keep DIR]
 *
 * `INSPECT` names the inspect program where it is not in target/debug/examples. With `--keep`, files and truths of
 * the given seeds are written to DIR, as in tests/data/pi-odd.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

process.env.TZ = "UTC";
const PKG = process.env.PI_PKG;
const INSPECT = process.env.INSPECT ?? "target/debug/examples/inspect";
if (!PKG || !existsSync(join(PKG, "dist/index.js"))) {
	console.log("skipped: set PI_PKG to an installed @earendil-works/pi-coding-agent");
	process.exit(0);
}
if (!existsSync(INSPECT)) {
	console.log(`skipped: build the inspect example first (${INSPECT} is missing)`);
	process.exit(0);
}
const { SessionManager, parseSessionEntries } = await import(pathToFileURL(join(PKG, "dist/index.js")).href);

// --- made-up files ---------------------------------------------------------------------------------------------------

/** A small random generator, the same on every machine. */
function randomOf(seed) {
	let state = (seed * 2654435761 + 1) >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
	const below = (n) => Math.floor(next() * n);
	return { next, below, chance: (p) => next() < p, pick: (list) => list[below(list.length)] };
}

const WORDS = ["queue", "cache", "E0382", "getUserById", "a/b.rs", "日本語", "naïve", "🦀", "done", "why?", "--no-verify", "tab\there", "line\nbreak", "quote\"d", "back\\slash"];
const ODD_TEXTS = ["", " ", "\n", "\u0000", "\ud83d", "\udc00x", "a\u2028b", "c\u2029d", "e\u0085f", "\ufeffg", "x".repeat(1600), "🦀".repeat(800)];

function text(r, odd) {
	if (odd && r.chance(0.12)) return r.pick(ODD_TEXTS);
	return Array.from({ length: 1 + r.below(8) }, () => r.pick(WORDS)).join(" ");
}

function time(r, at) {
	return new Date(Date.UTC(2026, 0, 1) + at * 1000 + r.below(900)).toISOString();
}

const ODD_TIMES = [null, 0, 5, -1, 1767225600, 1767225600000, 8.4e252, 1e16, "", "yesterday", "2026-01-01", "2026-01", "2026", "2026-01-01T10:00:00Z", "2026-01-01T10:00:00+05:30", "2026-01-31T10:00:00.5Z", "2026-02-30T10:00:00.000Z", "0000-01-01T00:00:00.000Z", "+012026-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "2026-01-01T24:00:00.000Z", "2026-01-01T10:00", [], {}];

function content(r, role, odd) {
	if (odd && r.chance(0.08)) return r.pick([null, 5, {}, [], "", [null], [5, "x"], [{ type: "text" }], [{ type: "text", text: null }], [{ text: "no type" }], false, [[{ type: "text", text: "deep" }]]]);
	if (role === "user" && r.chance(0.3)) return text(r, odd);
	const blocks = [];
	if (role === "assistant" && r.chance(0.4)) blocks.push({ type: "thinking", thinking: text(r, odd), thinkingSignature: "sig" });
	for (let n = r.below(3); n >= 0; n--) if (r.chance(0.8)) blocks.push({ type: "text", text: text(r, odd) });
	if (role === "assistant" && r.chance(0.4)) blocks.push({ type: "toolCall", id: `call_${r.below(99)}`, name: "bash", arguments: { command: text(r, odd), nested: { list: [1, 2, { a: "b" }] } } });
	if (r.chance(0.1)) blocks.push({ type: "image", data: "aGVsbG8=".repeat(r.below(20)), mimeType: "image/png" });
	if (odd && r.chance(0.03)) blocks.push(r.pick([{ type: "unknown", text: "x" }, null, "string", 7, { type: 5, text: "y" }]));
	return blocks;
}

function message(r, at, odd) {
	const role = r.pick(["user", "user", "assistant", "assistant", "assistant", "toolResult", "toolResult", "system", "bashExecution", "custom"]);
	const m = { role, timestamp: Date.UTC(2026, 0, 1) + at * 1000 };
	if (role === "bashExecution") Object.assign(m, { command: text(r, odd), output: text(r, odd), exitCode: 0, cancelled: false, truncated: false });
	else m.content = content(r, role, odd);
	if (role === "assistant") Object.assign(m, { api: "faux", provider: r.pick(["p1", "p2"]), model: r.pick(["m1", "m2"]), usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } }, stopReason: r.pick(["stop", "toolUse", "error"]) });
	if (role === "toolResult") Object.assign(m, { toolCallId: "call_1", toolName: "bash", isError: r.chance(0.2), details: { big: [text(r, odd)] } });
	if (role === "system") Object.assign(m, { sections: { a: text(r, odd) }, toolsAdded: [{ name: "t", parameters: {} }] });
	if (odd) {
		if (r.chance(0.05)) m.timestamp = r.pick(ODD_TIMES);
		if (r.chance(0.03)) delete m.timestamp;
		if (r.chance(0.03)) delete m.content;
		if (r.chance(0.03)) m.role = r.pick([null, 5, "hookMessage", "strange", ""]);
		if (r.chance(0.02)) delete m.role;
	}
	return m;
}

function entry(r, id, parentId, at, known, odd) {
	const base = { id, parentId, timestamp: time(r, at) };
	const target = () => (known.length && !(odd && r.chance(0.1)) ? r.pick(known) : "ffffffff");
	const kinds = {
		message: () => ({ type: "message", ...base, message: message(r, at, odd) }),
		model_change: () => ({ type: "model_change", ...base, provider: "p3", modelId: "m3" }),
		thinking: () => ({ type: "thinking_level_change", ...base, thinkingLevel: r.pick(["off", "low", "high"]) }),
		usage: () => ({ type: "usage", ...base, kind: "cache_warm", provider: "p1", model: "m1", usage: { input: 1 } }),
		compaction: () => ({ type: "compaction", ...base, summary: text(r, odd), firstKeptEntryId: r.chance(0.2) ? id : target(), tokensBefore: 99, ...(r.chance(0.4) ? { systemMessage: { role: "system", content: text(r, odd), timestamp: 1 } } : {}) }),
		branch_summary: () => ({ type: "branch_summary", ...base, fromId: target(), summary: r.chance(0.2) ? "" : text(r, odd) }),
		custom: () => ({ type: "custom", customType: "x", data: { text: text(r, odd) }, ...base }),
		custom_message: () => ({ type: "custom_message", customType: "x", content: r.chance(0.5) ? text(r, odd) : [{ type: "text", text: text(r, odd) }], display: r.chance(0.5), ...base }),
		context_edit: () => ({ type: "context_edit", ...base, targetId: target(), replacement: r.pick([null, { content: text(r, odd) }, { content: [{ type: "text", text: text(r, odd) }] }]) }),
		label: () => ({ type: "label", ...base, targetId: target(), ...(r.chance(0.7) ? { label: text(r, odd) } : r.chance(0.5) ? { label: "" } : {}) }),
		session_info: () => ({ type: "session_info", ...base, name: odd && r.chance(0.1) ? r.pick([null, 5, "", "  ", "\u00a0trim\ufeff", {}]) : text(r, odd) }),
	};
	const order = ["message", "message", "message", "message", "message", "message", "message", "message", "compaction", "context_edit", "label", "session_info", "custom", "custom_message", "branch_summary", "model_change", "thinking", "usage"];
	const made = kinds[r.pick(order)]();
	if (odd && r.chance(0.03)) {
		const member = r.pick(["id", "parentId", "timestamp", "type", "message", "targetId", "summary", "firstKeptEntryId"]);
		if (r.chance(0.5)) delete made[member];
		// Ids and summaries that are neither text nor absent are left out: here they count as absent.
		else made[member] = ["id", "summary"].includes(member) ? r.pick(["", "zz"]) : r.pick([null, 5, "", "zz", {}, []]);
	}
	if (odd && r.chance(0.02)) made.type = "future_kind";
	if (odd && r.chance(0.05)) made.timestamp = r.pick(ODD_TIMES);
	return made;
}

const SCALARS = ["42", "0", "\"x\"", "\"\"", "[]", "{}", "null", "true", "false", "[1,2]", "{\"a\":1}", "-0", "1e999", "{\"type\":\"message\"}", "{\"type\":\"message\",\"message\":null}", "{\"type\":\"message\",\"message\":\"text\"}", "NaN", "{", "}", "{\"type\":\"message\"", "garbage", "{'a':1}", "[1,]", "01", "\"\\x\""];

/** A session file as bytes. */
export function sessionFile(seed) {
	const r = randomOf(seed);
	const odd = r.chance(0.75);
	const version = r.chance(0.7) ? 3 : r.pick([1, 1, 2, 2, undefined, null, 99, "3", "2", "1", " 3 ", "abc", 2.5, 0, true, {}, []]);
	const old = typeof version !== "number" ? version === undefined || version === null || version === "1" || version === true : version < 2;
	const header = { type: "session", version, id: `s${seed}`, timestamp: time(r, 0), cwd: "/home/dev/x" };
	if (version === undefined) delete header.version;
	if (r.chance(0.2)) header.parentSession = "/home/dev/other.jsonl";
	if (odd && r.chance(0.05)) header[r.pick(["id", "timestamp", "cwd", "parentSession"])] = r.pick([null, 5, "", "bad", {}]);
	if (odd && r.chance(0.03)) delete header[r.pick(["id", "timestamp", "cwd"])];
	if (odd && r.chance(0.05)) header.timestamp = r.pick(ODD_TIMES);
	const records = [header];
	const known = [];
	let leaf = null;
	const count = r.below(r.chance(0.2) ? 40 : 14);
	for (let n = 1; n <= count; n++) {
		const id = odd && r.chance(0.03) && known.length ? r.pick(known) : `e${String(n).padStart(7, "0")}`;
		if (r.chance(0.1)) leaf = known.length && r.chance(0.9) ? r.pick(known) : null;
		if (odd && r.chance(0.02)) leaf = r.pick(["missing0", id, `e${String(n + 1).padStart(7, "0")}`]);
		const made = entry(r, id, leaf, n, known, odd);
		if (old && r.chance(0.95)) {
			delete made.id;
			delete made.parentId;
			if (made.type === "compaction") {
				delete made.firstKeptEntryId;
				made.firstKeptEntryIndex = odd && r.chance(0.2) ? r.pick([-1, 0, 999, 1.5, "2", n + 1]) : r.below(n + 1);
			}
		}
		records.push(made);
		if (made.id !== undefined || !old) known.push(id);
		leaf = id;
		if (odd && r.chance(0.02)) records.push({ ...header, id: r.chance(0.5) ? header.id : "second" });
		if (odd && r.chance(0.02)) records.push(made);
	}
	if (odd && r.chance(0.04)) records.splice(r.below(2), 1);
	if (odd && r.chance(0.03)) records.unshift(...records.splice(1, 1));
	let lines = records.map((record) => Buffer.from(JSON.stringify(record)));
	if (odd) {
		for (let n = r.below(3); n > 0; n--) lines.splice(r.below(lines.length + 1), 0, Buffer.from(r.pick(SCALARS)));
		if (r.chance(0.2)) lines = lines.map((line) => (r.chance(0.15) ? damage(r, line) : line));
		if (r.chance(0.1)) lines.splice(r.below(lines.length + 1), 0, Buffer.from(r.pick(["", "  ", "\t", "\u00a0", "\ufeff", "\u0085"])));
	}
	const end = !odd ? "\n" : r.pick(["\n", "\n", "\n", "\n", "\n", "\r\n", "\r\n", r.chance(0.2) ? "\r" : "\n", "\r\r\n"]);
	let bytes = Buffer.concat(lines.flatMap((line, n) => (n + 1 === lines.length && odd && r.chance(0.2) ? [line] : [line, Buffer.from(end)])));
	if (odd && r.chance(0.03)) bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
	if (odd && r.chance(0.03)) bytes = bytes.subarray(0, r.below(bytes.length + 1));
	if (odd && r.chance(0.02)) bytes = Buffer.concat([bytes, Buffer.alloc(r.below(50))]);
	return bytes;
}

function damage(r, line) {
	const at = r.below(line.length);
	const put = (insert) => Buffer.concat([line.subarray(0, at), Buffer.from(insert), line.subarray(at)]);
	switch (r.below(7)) {
		case 0: return line.subarray(0, at);
		case 1: return Buffer.concat([line.subarray(0, at), line]);
		case 2: return Buffer.concat([Buffer.alloc(1 + r.below(20)), line]);
		case 3: return put([r.pick([0, 1, 9, 10, 11, 13, 0x7f, 0xff, 0xc3, 0xe2])]);
		case 4: return put(r.pick(["\u2028", "\u2029", "\u0085", "\ud83d", "{", "}", "\"", "\\"]));
		case 5: return Buffer.concat([line, line]);
		default: return Buffer.concat([line, Buffer.from(r.pick([",", " ", " x", "\t", "\0"]))]);
	}
}

// --- what Pi says ----------------------------------------------------------------------------------------------------

const MAX = 1500;
const ROLES = ["system", "user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "compactionSummary"];
/** The start of a text, without half a character at the end. */
const start = (text) => text.slice(0, MAX).replace(/[\ud800-\udbff]$/, "");
const clip = (value) => (typeof value !== "string" ? { text: "" } : value.length <= MAX ? { text: value } : { text: start(value), textLength: value.length });
const iso = (date) => (date instanceof Date && !Number.isNaN(date.getTime()) ? date.toISOString() : null);
const failing = (f) => { try { return f(); } catch (error) { return { error: String(error?.message ?? error) }; } };
const textOrNull = (value) => (typeof value === "string" ? value : null);

function messageText(m) {
	if (!m || typeof m !== "object") return "";
	if (m.role === "bashExecution") return `${m.command ?? ""}\n${m.output ?? ""}`;
	if (m.role === "branchSummary" || m.role === "compactionSummary") return m.summary;
	if (typeof m.content === "string") return m.content;
	if (!Array.isArray(m.content)) return "";
	return m.content.filter((b) => b?.type === "text" && typeof b.text === "string").map((b) => b.text).join("\n");
}

/** Pi would walk the parents of the leaf for ever. */
function isCircle(bytes) {
	const entries = bytes.toString("utf8").split("\n").flatMap((line) => { try { const e = JSON.parse(line); return e && e.type !== "session" ? [e] : []; } catch { return []; } });
	const byId = new Map(entries.map((e) => [e.id, e]));
	let at = byId.get(entries.at(-1)?.id);
	for (let steps = 0; at; steps++) {
		if (steps > entries.length) return true;
		at = at.parentId ? byId.get(at.parentId) : undefined;
	}
	return false;
}

/** Pi's walk over the tree from its roots ends: equal ids can make it go in circles, or grow without bounds. */
function treeEnds(entries) {
	const byId = new Map(entries.map((e) => [e.id, e]));
	const children = new Map();
	const open = [];
	for (const e of entries) {
		const parent = e.parentId === null || e.parentId === e.id ? undefined : byId.get(e.parentId);
		if (parent) children.set(parent, [...(children.get(parent) ?? []), byId.get(e.id)]);
		else open.push(byId.get(e.id));
	}
	for (let steps = 0; open.length; steps++) {
		if (steps > 10_000) return false;
		open.push(...(children.get(open.pop()) ?? []));
	}
	return true;
}

export async function piTruth(file, bytes) {
	const dir = mkdtempSync(join(tmpdir(), "against-pi-"));
	const copy = join(dir, "x.jsonl");
	try {
		copyFileSync(file, copy);
		utimesSync(copy, MTIME, MTIME);
		const [info] = await SessionManager.listAll(dir);
		const list = info ? { id: textOrNull(info.id), cwd: info.cwd, name: info.name ?? null, firstMessage: clip(info.firstMessage).text, title: clip(info.name ?? info.firstMessage).text, messageCount: info.messageCount,
created: iso(info.created), modified: iso(info.modified), parentSessionPath: textOrNull(info.parentSessionPath) } : null;
		return { list, open: open(copy, bytes) };
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

function open(copy, bytes) {
	const header = (() => { try { return parseSessionEntries(bytes.toString("utf8")).find((e) => e?.type === "session"); } catch { return undefined; } })();
	const linear = (header?.version ?? 1) < 2;
	if (!linear && isCircle(bytes)) return { ok: false, error: "circle" };
	try {
		const sm = SessionManager.open(copy);
		const entries = sm.getEntries();
		const ids = (list) => list.map((e) => textOrNull(e.id) || null);
		// Equal numbers are one value; only the last entry can be one.
		const positions = (list) => list.map((e) => (typeof e === "object" ? entries.indexOf(e) : entries.length - 1));
		const projection = failing(() => sm.buildSessionProjection());
		const context = failing(() => sm.buildContextEntries());
		const labels = {};
		for (const e of entries) { const l = e.id !== undefined && sm.getLabel(e.id); if (typeof l === "string") labels[e.id] = l; }
		return {
			ok: true, linear,
			header: sm.getHeader(), entryCount: entries.length, ids: ids(entries),
			leafId: textOrNull(sm.getLeafId()) || null, leafIndex: sm.getLeafEntry() ? entries.indexOf(sm.getLeafEntry()) : null,
			activeBranchIds: ids(sm.getBranch()), activeBranchIndexes: positions(sm.getBranch()),
			contextEntryIds: context.error ? context : ids(context), contextEntryIndexes: context.error ? context : positions(context),
			contextMessages: projection.error ? projection : projection.entries.flatMap((p) => p.messages.map((m) => ({ entryId: textOrNull(p.sourceEntry.id) || null, role: ROLES.includes(m?.role) ? m.role : "other", ...clip(messageText(m)) }))),
			sessionName: failing(() => sm.getSessionName() ?? null), labels, // An entry without any parentId hangs below a record without an id, if there is one; here it is a root.
			// An empty id is none.
			treeRootIds: (entries.some((e) => e.parentId === undefined && e.id !== undefined) && entries.some((e) => e.id === undefined)) || entries.some((e) => e.id === "") ? { error: "known" } : treeEnds(entries) ? ids(sm.getTree().map((n) => n.entry)) : { error: "endless" },
			texts: entries.filter((e) => e.type === "message" && ["user", "assistant"].includes(e.message?.role) && messageText(e.message) !== "").length,
		};
	} catch (error) {
		return { ok: false, error: String(error?.message ?? error) };
	}
}

// --- comparison ------------------------------------------------------------------------------------------------------

const MTIME = new Date("2026-06-01T00:00:00.000Z");
/** Halves of surrogate pairs become U+FFFD here and bad bytes did in both. */
const plain = (value) => JSON.stringify(value, (_, v) => (typeof v === "string" ? v.toWellFormed() : v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v))?.replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd");

export function differences(ours, truth) {
	const found = [];
	const compare = (name, a, b) => { if (plain(a) !== plain(b)) found.push([name, a, b]); };
	for (const key of Object.keys(truth.list ?? {})) compare(`list.${key}`, ours.list?.[key] ?? null, truth.list[key]);
	// A header whose time is null or true: no time here, the beginning of 1970 for Pi.
	const noTime = /^1970-01-01T00:00:00.00[01]Z$/.test(truth.list?.created ?? "") && ours.list?.created === null;
	if (noTime) found.splice(found.findIndex(([name]) => name === "list.created"), 1);
	if (!truth.list) compare("list", ours.list, null);
	compare("open.ok", ours.open.ok, truth.open.ok);
	// An empty file becomes a new session.
	if (!truth.open.ok || !ours.open.ok || truth.open.entryCount === 0) return found;
	const idsInvented = ["ids", "leafId", "activeBranchIds", "contextEntryIds", "labels", "treeRootIds"];
	for (const key of Object.keys(truth.open)) {
		if (["ok", "linear", "texts"].includes(key) || truth.open[key]?.error || (truth.open.linear && idsInvented.includes(key))) continue;
		if (key === "contextMessages" && truth.open.linear) compare(`open.${key}`, ours.open[key].map(({ entryId, ...m }) => m), truth.open[key].map(({ entryId, ...m }) => m));
		else compare(`open.${key}`, ours.open[key], truth.open[key]);
	}
	if (ours.texts < truth.open.texts) found.push(["texts", ours.texts, truth.open.texts]);
	return found;
}

// --- main ------------------------------------------------------------------------------------------------------------

const keep = process.argv.indexOf("--keep");
const [count, first] = process.argv.slice(2, keep < 0 ? undefined : keep).map(Number);
const dir = keep < 0 ? mkdtempSync(join(tmpdir(), "made-up-")) : resolve(process.argv[keep + 1]);
mkdirSync(dir, { recursive: true });
const seeds = Array.from({ length: count || 1000 }, (_, n) => (first || 1) + n);
const files = seeds.map((seed) => {
	const bytes = sessionFile(seed);
	const path = join(dir, `${seed}.jsonl`);
	writeFileSync(path, bytes);
	utimesSync(path, MTIME, MTIME);
	return { seed, path, bytes };
});
const output = execFileSync(INSPECT, ["--stdin"], { input: files.map((file) => file.path).join("\n"), maxBuffer: 1 << 30 });
const ours = output.toString("utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const kinds = new Map();
let differing = 0;
for (const [n, { seed, path, bytes }] of files.entries()) {
	if (process.env.TRACE) console.error(seed);
	const truth = await piTruth(path, bytes);
	if (keep >= 0) writeFileSync(join(dir, `${seed}.truth.json`), `${JSON.stringify(truth, null, 1)}\n`);
	const found = differences(ours[n], truth);
	if (found.length) differing++;
	for (const [name, a, b] of found) {
		const kind = kinds.get(name) ?? [];
		kind.push(`${seed}: ours ${plain(a)?.slice(0, 300)} | Pi ${plain(b)?.slice(0, 300)}${truth.open.error ? ` (${truth.open.error})` : ""}`);
		kinds.set(name, kind);
	}
}
for (const [name, examples] of kinds) console.log(`${name}: ${examples.length}\n  ${examples.slice(0, Number(process.env.SHOW ?? 5)).join("\n  ")}`);
console.log(`${files.length} files, ${differing} differ${keep < 0 ? ` (files in ${dir})` : ""}`);
process.exit(differing ? 1 : 0);
