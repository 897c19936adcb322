// What the pool and its workers say to each other.
import type { PageErrorCode } from '../../errors.ts';
import type { ViewRequest, Views } from '../../views.ts';

export interface ViewTask {
  readonly id: number;
  readonly request: ViewRequest;
}

export interface ViewAnswer {
  readonly id: number;
  readonly views?: Views;
  readonly failure?: { readonly code: PageErrorCode; readonly message: string };
}
