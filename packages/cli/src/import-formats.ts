// What files of other programs are read as.
import type { MonitorFormat, RecordingFormat } from '@weft/contract';
import { namesOf } from './names.ts';

export const MONITOR_FORMATS = namesOf<MonitorFormat>({
  changedetection: true,
  changedetection_api: true,
  urlwatch: true,
  webchanges: true,
  distill: true,
  opml: true,
  urls: true,
  weft: true,
});

export const RECORDING_FORMATS = namesOf<RecordingFormat>({ devtools: true, har: true });
