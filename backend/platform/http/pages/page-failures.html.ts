import { Logger } from '@nestjs/common';
import { describeError } from '../../ops/logger.js';
import { toProblem, type OwnFailures } from '../failure.js';
import { html, type Html } from '../html.js';
import type { Problem } from '../problem.js';
import { asPage } from './send-page.js';
import { document } from './shell.html.js';

const logger = new Logger('Pages');

interface Words {
  status: number;
  title: string;
  detail: string;
  /** The way on. */
  action?: Html;
}

/** A link that was cut off, replaced or never given. */
export const DEAD_LINK: Words = {
  status: 404,
  title: 'Link inválido ou expirado',
  detail: 'Confira se o link foi copiado inteiro ou peça outro ao seu personal.',
};

const TRY_AGAIN = {
  title: 'Não foi possível abrir a página',
  detail: 'Tente de novo em um minuto.',
};
const everywhere: Readonly<Record<string, Words>> = {
  rate_limited: {
    status: 429,
    title: 'Muitas tentativas',
    detail: 'Espere um minuto e abra o link de novo.',
  },
  busy: { status: 503, ...TRY_AGAIN },
  internal: { status: 500, ...TRY_AGAIN },
};

/**
 * Errors under the path of pages are shown as pages, because people read them. A malformed or overlong address is answered
 * like an unknown one, in the words of `notFound`.
 */
export function pageFailures(
  under: string,
  notFound: (problem: Problem, path: string) => Words,
): OwnFailures {
  return {
    under,
    answer(failure, request, reply) {
      const [path = '', query] = request.url.split('?', 2);
      // With a trailing slash, as people may type it.
      const written = /^(\/[^/]+\/.*[^/])\/+$/.exec(path)?.[1];
      if (written !== undefined) {
        void reply.redirect([written, query].filter(Boolean).join('?'), 308);
        return;
      }
      const problem = toProblem(failure);
      const { status, title, detail, action } = everywhere[problem.code] ?? notFound(problem, path);
      if (status === 500)
        logger.error({ msg: 'request failed', requestId: request.id, err: describeError(failure) });
      const retryAfter = problem.retryAfter ?? (status === 503 ? 1 : undefined);
      if (retryAfter !== undefined) void reply.header('Retry-After', String(retryAfter));
      const page = document(
        { title, description: detail, site: null },
        html`<main class="empty">
          <h1>${title}</h1>
          <p class="dim">${detail}</p>
          ${action}
        </main>`,
      );
      void asPage(reply, false).header('Cache-Control', 'no-store').status(status).send(page);
    },
  };
}
