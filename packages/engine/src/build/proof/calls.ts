// The calls of a proof: each made as the function will be called, with the rows of its answer, whose bytes are kept under their hash.
import type { NewWorkflow } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { callSteps } from '../asking/call-steps.ts';
import type { CallEnd, CalledPage } from '../asking/call-steps.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import { unlessUnread } from '../asking/unless-unread.ts';
import type { Candidate } from '../evidence/catalogue.ts';
import type { Row } from '../../run/reading/rows.ts';
import { sha256 } from '../../sha256.ts';
import type { Probe, ProbeRole } from './certificate.ts';
import { readingRequestOf, rowsOf } from './read-rows.ts';
import { hashOfRows } from './verify.ts';

/** One call that is to be made. */
export interface Call {
  readonly role: ProbeRole;
  readonly inputs: Probe['inputs'];
  readonly word?: string;
}

/** What is called. */
export interface CalledFunction {
  readonly candidate: Candidate;
  readonly workflow: NewWorkflow;
}

/** The calls that were made of one function, and what each gave. */
export class ProofCalls {
  readonly probes: Probe[] = [];
  readonly rows: Partial<Record<ProbeRole, readonly Row[]>> = {};
  /** How each call ended. */
  readonly ends: Partial<Record<ProbeRole, CallEnd>> = {};
  private readonly provable: CalledFunction;
  private readonly asking: SiteAsking;
  private readonly signal: AbortSignal;

  constructor(provable: CalledFunction, asking: SiteAsking, signal: AbortSignal) {
    this.provable = provable;
    this.asking = asking;
    this.signal = signal;
  }

  /** Leaves the call of `role` out, as if it had not been made. */
  forget(role: ProbeRole): void {
    const kept = this.probes.filter((probe) => probe.role !== role);
    this.probes.splice(0, this.probes.length, ...kept);
    delete this.rows[role];
    delete this.ends[role];
  }

  /** Makes one call; of one without an input for the page the second page is kept with the recorded one. Throws PageError `aborted`. */
  async make(call: Call): Promise<void> {
    const { workflow, candidate } = this.provable;
    const end = await callSteps({ steps: workflow.steps, lane: candidate.lane }, call.inputs, this.asking, this.signal);
    this.ends[call.role] = end;
    const [page, next] = end.pages;
    await this.keep(call, page, end, end.pages.length <= 1);
    if (call.role === 'recorded' && candidate.paging && candidate.paging.mode !== 'input')
      await this.keep({ ...call, role: 'page_2' }, next, end, false);
  }

  /** Keeps the answer of one call, and its rows. `isWhole`: the run kept the rows of this page alone. */
  private async keep({ role, inputs, word }: Call, page: CalledPage | undefined, end: CallEnd, isWhole: boolean): Promise<void> {
    const told = { role, inputs, ...(word === undefined ? {} : { word }) };
    // To refuse what nobody can know is an answer without rows.
    const refused = page !== undefined && (page.status >= 400 || (role === 'negative' && end.failure !== undefined));
    if (!page || (end.failure && !refused)) {
      this.probes.push({ ...told, rows: 0, rowsSha256: hashOfRows([]), failure: end.failure?.message ?? 'No page came.' });
      return;
    }
    const rows = refused ? [] : await this.rowsOf(page);
    if (rows instanceof PageError) {
      this.probes.push({ ...told, rows: 0, rowsSha256: hashOfRows([]), failure: rows.message });
      return;
    }
    if (isWhole && end.rows.length !== rows.length && !refused) {
      const failure = `The run kept ${end.rows.length} rows, and its answer has ${rows.length}.`;
      this.probes.push({ ...told, rows: 0, rowsSha256: hashOfRows([]), failure });
      return;
    }
    const { body, url, status, contentType, lane, method, atMs } = page;
    const hash = sha256(body);
    await this.asking.ports.keepAnswer(hash, body);
    const answer = {
      method,
      url,
      status,
      ...(contentType === undefined ? {} : { contentType }),
      lane,
      atMs,
      bytes: body.length,
      sha256: hash,
    };
    const failure = end.failure ? { failure: end.failure.message } : {};
    this.probes.push({ ...told, answer, rows: rows.length, rowsSha256: hashOfRows(rows), ...failure });
    this.rows[role] = rows;
  }

  /** The rows of the page, or why it can't be read. Throws PageError `aborted`. */
  private async rowsOf(page: CalledPage): Promise<readonly Row[] | PageError> {
    const { reading } = this.provable.candidate;
    const read = await unlessUnread(() => this.asking.ports.views.run('reading', readingRequestOf(reading, page), this.signal));
    return read instanceof PageError ? read : rowsOf(read.result);
  }
}
