import type { Silence } from '../../platform/outgoing/ask.js';

/**
 * What follows from a refusal: the message is tried again later, this student is told otherwise, the template or the whole
 * connection is not used any more.
 */
export type Verdict = 'later' | 'message' | 'template' | 'connection';

/** Meta's codes: a token that is not valid, missing permissions, an account or number that is blocked, or one that must pay. */
const CONNECTION = new Set([0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131042, 131045, 133010]);
/** Limits and disturbances that pass. */
const LATER = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 133004]);

/**
 * Why a call to Meta failed: it did not answer (whole), its answer is not the documented one, it refused with a code, or there are no
 * keys, as after an import.
 */
export class WhatsAppFailure extends Error {
  constructor(
    readonly kind: Silence | 'formato' | 'resposta' | 'chaves',
    readonly details: { status?: number; code?: number; mayHaveArrived?: boolean } = {},
  ) {
    super(`whatsapp: ${kind} ${details.status ?? ''} ${details.code ?? ''}`.trim());
  }

  get verdict(): Verdict {
    const { status = 0, code } = this.details;
    if (this.kind !== 'resposta') return 'later';
    if (code !== undefined) {
      if (CONNECTION.has(code) || (code >= 200 && code < 300)) return 'connection';
      if (code >= 132000 && code < 132100) return 'template';
      if (LATER.has(code)) return 'later';
    }
    if (status === 429 || status >= 500) return 'later';
    return status === 401 || status === 403 ? 'connection' : 'message';
  }

  /** Meta's code, or else the status of its answer; null where it did not answer. */
  get reason(): number | null {
    return this.details.code ?? this.details.status ?? null;
  }

  /** The stored form: `tempo`, `resposta 400 131026`. */
  get stored(): string {
    const { status, code } = this.details;
    return [this.kind, ...(this.kind === 'resposta' ? [status, code] : [])]
      .filter((part) => part !== undefined)
      .join(' ');
  }
}
