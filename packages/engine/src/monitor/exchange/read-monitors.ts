// Reads monitors out of a file of another program, or of ours.
import type { MonitorFormat } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { ExchangeError } from '../../run/exchange/untrusted.ts';
import { readApiJson, readBackup } from './changedetection/backup.ts';
import { readDistill } from './distill.ts';
import { Collector } from './exchange.ts';
import type { ImportRequest, ImportResult } from './exchange.ts';
import { formatOf } from './format.ts';
import { readOpml } from './opml.ts';
import { readUrlList } from './url-list.ts';
import { readJobs } from './urlwatch/jobs.ts';
import { readConfiguration } from './configuration.ts';

/** What a reader is given: the file as bytes and as text. */
interface ImportedFile {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const READERS: Readonly<Record<MonitorFormat, (file: ImportedFile, into: Collector) => Promise<void> | void>> = {
  changedetection: ({ bytes }, into) => readBackup(bytes, into),
  changedetection_api: ({ text }, into) => readApiJson(text, into),
  urlwatch: ({ text }, into) => readJobs(text, 'urlwatch', into),
  webchanges: ({ text }, into) => readJobs(text, 'webchanges', into),
  distill: ({ text }, into) => readDistill(text, into),
  opml: ({ text }, into) => readOpml(text, into),
  urls: ({ text }, into) => readUrlList(text, into),
  weft: ({ text }, into) => readConfiguration(text, into),
};

/** All that a file holds. Throws PageError `page_unreadable` for one that is not of its format, with what is wrong. */
export async function readMonitors({ format, content }: ImportRequest): Promise<ImportResult> {
  const text = new TextDecoder().decode(content);
  const kind = format ?? formatOf(content, text);
  const into = new Collector();
  try {
    await READERS[kind]({ bytes: content, text }, into);
  } catch (error) {
    if (error instanceof ExchangeError) throw new PageError('page_unreadable', error.message);
    throw error;
  }
  return into.result(kind);
}
