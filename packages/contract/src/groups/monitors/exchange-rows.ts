// Beyond the specification: monitors of other programs in, and all configuration out and in.
import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { ImportMonitors, ImportedMonitors, MONITOR_IMPORT_BODY_BYTES_MAX, MonitorConfiguration } from './exchange.ts';

/** Operations on monitors that bring in and take out what people have of them. */
export const exchange = {
  import: {
    id: 'monitors.import',
    method: 'POST',
    path: '/x/monitors/import',
    summary: 'make monitors of those of another program',
    scopes: ['admin'],
    body: ImportMonitors,
    bodyBytesMax: MONITOR_IMPORT_BODY_BYTES_MAX,
    replies: {
      200: json(ImportedMonitors, '`dry_run` was sent: what would be made.'),
      201: json(ImportedMonitors, 'All of them are made; their first checks are due at once, but for those that are paused.'),
    },
    errors: ['not_found', 'device_capacity'],
    idempotency: 'replay',
  },
  export: {
    id: 'monitors.export',
    method: 'GET',
    path: '/x/monitors/export',
    summary: 'all monitors and tags as one document',
    scopes: ['read'],
    query: z.strictObject({ format: z.enum(['json', 'yaml']).optional().describe('`json` unless said.') }),
    replies: {
      200: {
        description: 'The configuration, from which an import makes the same monitors. It holds no secrets of channels and personas.',
        content: { 'application/json': MonitorConfiguration, 'application/yaml': 'text' },
      },
    },
  },
} as const satisfies OperationGroup;
