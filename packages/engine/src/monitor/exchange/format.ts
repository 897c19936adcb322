// Finds out by its content what wrote a file.
import type { MonitorFormat } from '@weft/contract';
import { isArchive } from '../../extract/documents/archive.ts';
import { isMembers } from '../../run/value.ts';

/** The format of a file that nobody named. */
export function formatOf(content: Uint8Array, text: string): MonitorFormat {
  if (isArchive(content)) return 'changedetection';
  const start = text.trimStart().slice(0, 2000);
  if (/^[[{]/.test(start)) return formatOfJson(text) ?? 'urls';
  if (start.startsWith('<')) return 'opml';
  if (/^weft:/m.test(start)) return 'weft';
  if (/^\s*(?:-\s+)?(?:url|navigate|command|name|kind|use_browser)\s*:\s/m.test(text))
    return /^\s*(?:filters|use_browser|diff_filters|additions_only|differ|note)\s*:/m.test(text) ? 'webchanges' : 'urlwatch';
  return 'urls';
}

function formatOfJson(text: string): MonitorFormat | undefined {
  const value = jsonOf(text);
  if (!isMembers(value)) return Array.isArray(value) ? 'changedetection_api' : undefined;
  if ('weft' in value) return 'weft';
  if ('watching' in value || 'settings' in value) return 'changedetection';
  return Array.isArray(value['data']) ? 'distill' : 'changedetection_api';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
