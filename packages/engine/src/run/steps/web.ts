// Steps that open pages, send requests and forms, and bring files.
import type { StepOf } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { statusCode } from '../../lane/page-status.ts';
import { checkJsonPath, matchJsonPath } from '../../html/selectors/json.ts';
import { parseLooseJson } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { decodeBody } from '../../html/encoding/decode.ts';
import type { Page } from '../../ports.ts';
import { ask, sendable, withQuery } from '../asking.ts';
import type { AskedBody } from '../asking.ts';
import { RunFault } from '../fault.ts';
import { leaveToScripts } from './scripted-form.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { FILE_MARK } from '../template/render.ts';
import { membersFrom, textOf } from '../value.ts';
import type { RunValue } from '../value.ts';

const SAFE = new Set(['GET', 'HEAD']);
const DOWNLOAD_BYTES_MAX = 100_000_000;
/** Characters of an answer that is no JSON. */
const TEXT_KEPT = 1_000_000;

/** What goes over the network. */
export const WEB = {
  navigate: {
    lanes: () => BOTH,
    run: async (step, work) => {
      const url = await work.address(step.url);
      await work.open(url, { waitUntil: step.wait_until });
      work.url = (await work.room.driver()).url();
    },
  } satisfies StepKind<StepOf<'navigate'>>,
  request: {
    lanes: () => BOTH,
    changes: (step) => !SAFE.has(step.method ?? 'GET'),
    run: sendRequest,
  } satisfies StepKind<StepOf<'request'>>,
  form: {
    lanes: () => BOTH,
    changes: () => true,
    run: sendForm,
  } satisfies StepKind<StepOf<'form'>>,
  upload: {
    lanes: () => BROWSER,
    changes: () => true,
    run: async (step, work) => {
      const file = await work.state.ports.readFile(fileId(work.plain(step.file)));
      await (await work.session()).upload(work.element(step), [file], work.bounds);
    },
  } satisfies StepKind<StepOf<'upload'>>,
  download: {
    lanes: (step) => (step.url === undefined ? BROWSER : BOTH),
    run: download,
  } satisfies StepKind<StepOf<'download'>>,
  setViewport: {
    lanes: () => BROWSER,
    run: async (step, work) => (await work.session()).setViewport({ width: step.width, height: step.height }),
  } satisfies StepKind<StepOf<'setViewport'>>,
  emulateNetworkConditions: {
    lanes: () => BROWSER,
    run: async ({ download: down, upload, latency: latencyMs }, work) => {
      const isOff = down < 0 && upload < 0 && latencyMs === 0;
      await (await work.session()).emulateNetwork(isOff ? undefined : { download: down, upload, latencyMs });
    },
  } satisfies StepKind<StepOf<'emulateNetworkConditions'>>,
  close: { lanes: () => BROWSER, run: async (_step, work) => (await work.session()).closePage() } satisfies StepKind<StepOf<'close'>>,
} as const;

async function sendRequest(step: StepOf<'request'>, work: StepWork): Promise<unknown> {
  const { method = 'GET', expect_status: expected } = step;
  const pairs = (values: Readonly<Record<string, string>> | undefined) =>
    Object.entries(values ?? {}).map(([name, value]) => [name, work.text(value)] as const);
  const query = Object.entries(step.query ?? {}).map(([name, value]) => [name, work.plain(value)] as const);
  const url = withQuery(await work.address(step.url), query);
  work.url = url;
  work.lane = 'http';
  work.noteRobots(url);
  const page = await ask(
    { url, method, headers: membersFrom(pairs(step.headers)), body: bodyOf(step, work), follow: step.follow },
    work.asking,
    work.bounds,
  );
  work.url = page.url;
  const isExpected = expected ? expected.includes(page.status) : page.status >= 200 && page.status < 300;
  if (!isExpected)
    throw new PageError(
      statusCode(page.status),
      `${page.url} answered ${page.status}, and ${expected?.join(', ') ?? '200 to 299'} is expected.`,
      {
        url: page.url,
        status: page.status,
      },
    );
  const out = answerOf(page);
  for (const path of step.secret_response_paths ?? []) hide(path, out.json, work);
  return out;
}

function bodyOf(step: StepOf<'request'>, work: StepWork): AskedBody | undefined {
  const entries = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => [name, work.text(value)] as const);
  if (step.json !== undefined) return { kind: 'json', value: work.json(step.json) };
  if (step.form) return { kind: 'form', entries: entries(step.form) };
  if (step.multipart) return { kind: 'multipart', entries: entries(step.multipart) };
  return step.body === undefined ? undefined : { kind: 'text', text: sendable(work.text(step.body)) };
}

interface Answer {
  readonly [name: string]: RunValue;
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: JsonValue;
  readonly text: string;
}

function answerOf(page: Page): Answer {
  const { html: text } = decodeBody(page.body, page.contentType);
  const isJson = /[/+]json\b/i.test(page.contentType ?? '');
  const json = isJson ? (parseLooseJson(text)[0] ?? null) : null;
  const headers = membersFrom(page.headers.filter(([name]) => name !== 'set-cookie').map(([name, value]) => [name, value] as const));
  return { status: page.status, url: page.url, headers, json, text: json === null ? text.slice(0, TEXT_KEPT) : '' };
}

/** What a path finds in an answer is masked from now on. */
function hide(path: string, json: JsonValue, work: StepWork): void {
  checkJsonPath(path);
  for (const value of matchJsonPath(path, json)) work.state.masker.add(textOf(value));
}

async function sendForm(step: StepOf<'form'>, work: StepWork): Promise<unknown> {
  if (step.url !== undefined) await work.open(await work.address(step.url));
  const driver = await work.room.driver();
  const names = Object.keys(step.fields);
  const { form } = await work.read({ kind: 'form', selectors: step.selectors, index: step.index, names, submit: step.submit });
  if (!form) throw new RunFault('internal', 'The form could not be read.');
  const values = new Map(Object.entries(step.fields).map(([name, value]) => [name, work.text(value)] as const));
  const known = new Set(form.entries.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new PageError(
      'selector',
      `The form at ${work.url ?? form.action} has no field "${unknown}"; it has ${[...known].join(', ').slice(0, 300)}.`,
    );
  await leaveToScripts(form, undefined, work);
  await driver.submit(form, { values, submit: step.submit }, work.bounds);
  work.url = driver.url();
  return { url: work.url ?? '' };
}

async function download(step: StepOf<'download'>, work: StepWork): Promise<unknown> {
  const { selectors, frame, target } = step;
  if (step.url === undefined) {
    if (!selectors) throw new RunFault('input', 'A download needs "url" or "selectors".');
    const file = await (await work.session()).download(work.element({ selectors, frame, target }), DOWNLOAD_BYTES_MAX, work.bounds);
    return await work.state.keepFile({ ...file, contentType: file.contentType ?? 'application/octet-stream' });
  }
  const url = await work.address(step.url);
  work.lane = 'http';
  work.noteRobots(url);
  const page = await ask({ url, bytesMax: DOWNLOAD_BYTES_MAX }, work.asking, work.bounds);
  if (page.status < 200 || page.status > 299)
    throw new PageError(statusCode(page.status), `${page.url} answered ${page.status}, and no file.`, {
      url: page.url,
      status: page.status,
    });
  const name = decodeURIComponent(new URL(page.url).pathname.split('/').at(-1) || 'download');
  return await work.state.keepFile({ name, contentType: page.contentType ?? 'application/octet-stream', bytes: page.body });
}

function fileId(text: string): string {
  return text.startsWith(FILE_MARK) ? text.slice(FILE_MARK.length) : text;
}
