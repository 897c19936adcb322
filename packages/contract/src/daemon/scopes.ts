// What a restricted key needs for each of the agent's 98 operations (D15), written by hand and tested as a matrix.
import type { AcceptedScope } from '../operation.ts';

const READ = ['read'] as const;
/** The run scope sees the run or crawl that the same token started. */
const READ_OR_OWN = ['read', 'run:own'] as const;
const READ_OR_RUN = ['read', 'run'] as const;
const RUN = ['run'] as const;
/** Of runs, only those that the same token started (D15). */
const OWN = ['run:own'] as const;
const ADMIN = ['admin'] as const;
const RUNTIME = ['runtime'] as const;

/** The scopes that open each operation, by method and path; any one of a list is enough. */
export const DAEMON_SCOPES = {
  'GET /v1/agent': READ_OR_RUN,
  'GET /v1/health': READ_OR_RUN,

  'GET /v1/workflows': READ_OR_RUN,
  'POST /v1/workflows': ADMIN,
  'GET /v1/workflows/{id}': READ_OR_RUN,
  'PATCH /v1/workflows/{id}': ADMIN,
  'DELETE /v1/workflows/{id}': ADMIN,
  'POST /v1/workflows/{id}/run': RUN,
  'POST /v1/workflows/{id}/cancel': RUN,
  'GET /v1/workflows/{id}/session': READ,
  'DELETE /v1/workflows/{id}/session': ADMIN,

  'GET /v1/runs': READ_OR_OWN,
  'GET /v1/runs/{id}': READ_OR_OWN,
  'GET /v1/runs/{id}/results': READ_OR_OWN,
  'GET /v1/runs/{id}/data': READ_OR_OWN,
  'GET /v1/runs/{id}/events': READ_OR_OWN,
  'POST /v1/runs/{id}/cancel': OWN,

  'GET /v1/monitors': READ,
  'POST /v1/monitors': ADMIN,
  'GET /v1/monitors/capacity': READ,
  'GET /v1/monitors/{id}': READ,
  'PATCH /v1/monitors/{id}': ADMIN,
  'DELETE /v1/monitors/{id}': ADMIN,
  'POST /v1/monitors/{id}/run': RUN,
  'GET /v1/monitors/{id}/changes': READ,
  'GET /v1/changes/recent': READ,

  'GET /v1/monitors/{id}/selectors': READ,
  'POST /v1/monitors/{id}/selectors': ADMIN,
  'GET /v1/monitors/{id}/selectors/{selector_id}': READ,
  'PATCH /v1/monitors/{id}/selectors/{selector_id}': ADMIN,
  'DELETE /v1/monitors/{id}/selectors/{selector_id}': ADMIN,
  'POST /v1/monitors/{id}/selectors/{selector_id}/toggle': ADMIN,
  'POST /v1/monitors/{id}/selectors/{selector_id}/test': ADMIN,
  'POST /v1/monitors/{id}/selectors/{selector_id}/set-baseline': ADMIN,
  'POST /v1/monitors/{id}/selectors/{selector_id}/clear-baseline': ADMIN,

  'GET /v1/selectors/{selector_id}/extractors': READ,
  'POST /v1/extractors': ADMIN,
  'GET /v1/extractors/{extractor_id}': READ,
  'PATCH /v1/extractors/{extractor_id}': ADMIN,
  'DELETE /v1/extractors/{extractor_id}': ADMIN,
  'PATCH /v1/extractors/{extractor_id}/toggle': ADMIN,
  'POST /v1/extractors/{extractor_id}/test': ADMIN,

  'GET /v1/automations': READ,
  'POST /v1/automations': ADMIN,
  'GET /v1/automations/{id}': READ,
  'PATCH /v1/automations/{id}': ADMIN,
  'DELETE /v1/automations/{id}': ADMIN,
  'POST /v1/automations/{id}/enable': ADMIN,
  'POST /v1/automations/{id}/run': RUN,

  'GET /v1/personas': READ,
  'POST /v1/personas': ADMIN,
  'GET /v1/personas/{id}': READ,
  'PATCH /v1/personas/{id}': ADMIN,
  'DELETE /v1/personas/{id}': ADMIN,
  'GET /v1/personas/{id}/runs': READ,
  'POST /v1/personas/validate-totp': ADMIN,
  'POST /v1/personas/{id}/test-2fa': ADMIN,

  'GET /v1/secrets': READ,
  'POST /v1/secrets': ADMIN,
  'GET /v1/secrets/{key}': READ,
  'DELETE /v1/secrets/{key}': ADMIN,

  'GET /v1/vault/status': READ,
  'POST /v1/vault/lock': ADMIN,
  'POST /v1/vault/unlock': ADMIN,

  'GET /v1/files': READ,
  'POST /v1/files': ADMIN,
  'POST /v1/files/from-data': ADMIN,
  'GET /v1/files/{id}': READ,
  'DELETE /v1/files/{id}': ADMIN,
  'GET /v1/files/{id}/content': READ,

  'GET /v1/data': READ,
  'GET /v1/workflows/{id}/data': READ,
  'DELETE /v1/workflows/{id}/data': ADMIN,
  'GET /v1/workflows/{id}/data/runs': READ,
  'GET /v1/workflows/{id}/data/facets': READ,
  'GET /v1/workflows/{id}/data/export': READ,

  'GET /v1/datasets': READ,
  'GET /v1/datasets/search': READ,
  'GET /v1/datasets/{id}': READ,
  'GET /v1/datasets/{id}/records': READ,
  'GET /v1/datasets/{id}/export': READ,
  'GET /v1/datasets/{id}/search': READ,

  'GET /v1/crawl': READ_OR_OWN,
  'POST /v1/crawl': RUN,
  'GET /v1/crawl/{id}': READ_OR_OWN,
  'POST /v1/crawl/{id}/cancel': OWN,
  'GET /v1/crawl/definitions': READ,
  'POST /v1/crawl/definitions': ADMIN,
  'GET /v1/crawl/definitions/{ref}': READ,
  'PATCH /v1/crawl/definitions/{ref}': ADMIN,
  'DELETE /v1/crawl/definitions/{ref}': ADMIN,
  'POST /v1/crawl/definitions/{ref}/run': RUN,
  'GET /v1/crawl/definitions/{ref}/data': READ,

  'GET /v1/keys': ADMIN,
  'POST /v1/keys': RUNTIME,
  'GET /v1/keys/{id}': ADMIN,
  'DELETE /v1/keys/{id}': ADMIN,

  'POST /v1/ws-ticket': RUN,
} as const satisfies Readonly<Record<string, readonly AcceptedScope[]>>;
