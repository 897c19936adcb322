// What others read of the cloud, held against their own tools: metrics by promtool, traces by opentelemetry-proto, manifests by
// kubernetes-validate, and pictures in a bucket of versitygw, a server that nobody here wrote.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import { bucketBlobs } from '../../packages/cloud/src/pictures/bucket-blobs.ts';
import { endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';

export const needs = 'tools of Debian, PyPI and the Go module proxy, which it brings the first time';

const TOOLS = join(process.env['WEFT_APPS_HOME'] ?? join(homedir(), '.cache', 'weft-apps'), 'cloud-tools');
const MANIFEST = resolve(import.meta.dirname, '../../deploy/kubernetes.yaml');
const COMPOSE = resolve(import.meta.dirname, '../../deploy/compose.yaml');
const PAGES = 8;

export async function campaign({ log }: CampaignOptions): Promise<void> {
  mkdirSync(TOOLS, { recursive: true });
  const python = pythonWith(['kubernetes-validate==1.37.0', 'opentelemetry-proto', 'pyyaml']);
  const checked = execFileSync(python, ['-m', 'kubernetes_validate', MANIFEST], { encoding: 'utf8' });
  log(`kubernetes-validate: ${checked.trim().split('\n').length} documents, ${/fail|error/i.test(checked) ? checked : 'all valid'}`);
  const services = execFileSync(python, ['-c', 'import sys, yaml; print(sorted(yaml.safe_load(open(sys.argv[1]))["services"]))', COMPOSE], {
    encoding: 'utf8',
  });
  log(`compose.yaml: ${services.trim()}`);
  await watched(python, log);
  await bucket(log);
}

/** A process that is asked for metrics, and whose trace of a crawl is collected: call, turn and pages in one. */
async function watched(python: string, log: (line: string) => void): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-standards-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const database = await openDatabase(server.url);
  const site = await startGeneratedSite(PAGES);
  const bodies: Buffer[] = [];
  const collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        bodies.push(Buffer.concat(parts));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  const args = ['--private-target', new URL(site.start).host, '--blobs', 'database'];
  try {
    const { token } = await openAccount('campaign', 1000, {
      database,
      keys: createAccountKeys(database),
      credits: createCredits(database),
    });
    const options = { databaseUrl: server.url, home, env };
    const worker = await startCloudProcess({ ...options, args: [...args, '--role', 'worker', '--internal', '127.0.0.1:0'] });
    const api = await startCloudProcess({ ...options, args: [...args, '--role', 'api'] });
    const started = await fetch(`${api.url}/api/crawl`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: site.start, lane: 'http' }),
    });
    const { id } = (await started.json()) as { id: string };
    while ((await database.rows('SELECT 1 FROM crawl WHERE id = $1 AND finished_at IS NULL', [id])).length > 0) await pause(100);
    const metrics = await (await fetch(`http://127.0.0.1:${worker.internalPort}/metrics`)).text();
    const linted = execFileSync(promtool(), ['check', 'metrics'], { input: metrics, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
    assert.match(metrics, /weft_page_requests_total\{lane="http"\} \d/);
    log(
      `promtool check metrics: ${metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length} lines, ${linted.trim() || 'no complaint'}`,
    );
    await endCloudProcess(api);
    await endCloudProcess(worker);
    for (const [i, body] of bodies.entries()) writeFileSync(join(home, `spans-${i}.json`), body);
    const read = execFileSync(python, ['-c', READ_SPANS, ...bodies.map((_, i) => join(home, `spans-${i}.json`))], { encoding: 'utf8' });
    const { spans, trace } = JSON.parse(read) as { spans: number; trace: Record<string, number> };
    assert.ok((trace['crawls.start'] ?? 0) === 1 && (trace['crawl turn'] ?? 0) >= 1 && (trace['page'] ?? 0) >= PAGES, read);
    log(`opentelemetry-proto: ${spans} spans; one trace from the call through the worker: ${JSON.stringify(trace)}`);
  } finally {
    collector.closeAllConnections();
    collector.close();
    await database.close();
    await server.stop();
    await site.close();
    rmSync(home, { recursive: true });
  }
}

/** Reads all requests as the protocol's own messages; counts spans by name in the trace of the call. */
const READ_SPANS = `
import collections, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
def fix(span):
    import base64
    for key in ("traceId", "spanId", "parentSpanId"):
        if key in span: span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
spans = []
for path in sys.argv[1:]:
    body = json.load(open(path))
    for resource in body["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]: fix(span)
    request = json_format.ParseDict(body, ExportTraceServiceRequest())
    for resource in request.resource_spans:
        for scope in resource.scope_spans: spans.extend(scope.spans)
root = next(span for span in spans if span.name == "crawls.start")
names = collections.Counter(span.name for span in spans if span.trace_id == root.trace_id)
print(json.dumps({"spans": len(spans), "trace": names}))
`;

async function bucket(log: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-versity-'));
  mkdirSync(join(folder, 'root', 'pictures'), { recursive: true });
  mkdirSync(join(folder, 'meta'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const env = { ...process.env, ROOT_ACCESS_KEY: 'campaign', ROOT_SECRET_KEY: 'a secret of the campaign' };
  const gateway = spawn(versitygw(), ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', join(folder, 'meta'), join(folder, 'root')], {
    env,
    stdio: 'ignore',
  });
  const place = { kind: 's3', url: `http://127.0.0.1:${port}/pictures`, region: 'us-east-1', accessKeyId: 'campaign' } as const;
  try {
    for (let tries = 0; tries < 100; tries++) {
      if (
        await fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        )
      )
        break;
      await pause(100);
    }
    const blobs = bucketBlobs({ ...place, secretAccessKey: env.ROOT_SECRET_KEY });
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256);
    await blobs.put('ab'.repeat(32), bytes);
    assert.deepEqual(new Uint8Array((await blobs.get('ab'.repeat(32))) ?? []), bytes);
    assert.equal(await blobs.get('cd'.repeat(32)), undefined);
    await blobs.delete(['ab'.repeat(32), 'cd'.repeat(32)]);
    assert.equal(await blobs.get('ab'.repeat(32)), undefined);
    await assert.rejects(bucketBlobs({ ...place, secretAccessKey: 'wrong' }).put('ab', bytes), /answered 403 to PUT/);
    log('versitygw: put, get, delete, and a wrong key refused');
  } finally {
    if (gateway.exitCode === null) {
      gateway.kill();
      await once(gateway, 'exit');
    }
    rmSync(folder, { recursive: true });
  }
}

function pythonWith(packages: readonly string[]): string {
  const folder = join(TOOLS, 'python');
  const python = join(folder, 'bin', 'python');
  run('sh', ['-c', `test -x ${python} || python3 -m venv ${folder}`]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  return python;
}

/** Of Debian's package, unpacked beside the system. */
function promtool(): string {
  const program = join(TOOLS, 'prometheus', 'usr', 'bin', 'promtool');
  run('sh', ['-c', `test -x ${program} || { cd ${TOOLS} && apt-get download prometheus && dpkg-deb -x prometheus_*.deb prometheus; }`]);
  return program;
}

function versitygw(): string {
  const program = join(TOOLS, 'versitygw');
  run('sh', ['-c', `test -x ${program} || GOBIN=${TOOLS} go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`]);
  return program;
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
