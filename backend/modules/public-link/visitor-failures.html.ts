import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { toProblem } from '../../platform/http/failure.js';
import { html } from '../../platform/http/html.js';
import type { OwnFailures } from '../../platform/http/own-failures.js';
import { pageHeaders } from '../../platform/http/security-headers.js';
import { describeError } from '../../platform/ops/logger.js';
import { document } from './visitor-shell.html.js';

const logger = new Logger('VisitorPages');

interface Words {
  status: number;
  title: string;
  detail: string;
}

const noTrainer: Words = {
  status: 404,
  title: 'Personal não encontrado',
  detail: 'O link pode ter mudado ou sido desativado. Peça o link atual ao seu personal.',
};
const noLink: Words = {
  status: 404,
  title: 'Link inválido ou expirado',
  detail: 'Confira se o link foi copiado inteiro ou peça outro ao seu personal.',
};
const words: Readonly<Record<string, Words>> = {
  'public.location_gone': {
    status: 404,
    title: 'Este local não está mais disponível',
    detail: 'Escolha outro local na página do personal.',
  },
  rate_limited: {
    status: 429,
    title: 'Muitas tentativas',
    detail: 'Espere um minuto e abra o link de novo.',
  },
  busy: {
    status: 503,
    title: 'Não foi possível abrir a página',
    detail: 'Tente de novo em um minuto.',
  },
  internal: {
    status: 500,
    title: 'Não foi possível abrir a página',
    detail: 'Tente de novo em um minuto.',
  },
};

/**
 * Errors under `/p` are shown as pages, because people read them. A malformed or overlong address is answered like an unknown
 * one.
 */
export const visitorFailures: OwnFailures = {
  under: '/p',

  answer(failure, request, reply) {
    const [path = '', query] = request.url.split('?', 2);
    // With a trailing slash, as people may type it.
    const written = /^(\/p\/.*[^/])\/+$/.exec(path)?.[1];
    if (written !== undefined) {
      void reply.redirect([written, query].filter(Boolean).join('?'), 308);
      return;
    }
    const problem = toProblem(failure);
    const isPrivate = /^\/p\/(reserva|espera)\//.test(request.url);
    const { status, title, detail } = words[problem.code] ?? (isPrivate ? noLink : noTrainer);
    if (status === 500)
      logger.error({ msg: 'request failed', requestId: request.id, err: describeError(failure) });
    const retryAfter = problem.retryAfter ?? (status === 503 ? 1 : undefined);
    if (retryAfter !== undefined) void reply.header('Retry-After', String(retryAfter));
    const trainersPage = problem.code === 'public.location_gone' && path.split('/', 3).join('/');
    const page = document(
      { title, description: detail, url: null, isIndexed: false },
      html`<main class="empty">
        <h1>${title}</h1>
        <p class="dim">${detail}</p>
        ${trainersPage && html`<a class="button" href="${trainersPage}">Ver outros locais</a>`}
      </main>`,
    );
    const nonce = randomBytes(16).toString('base64');
    void reply
      .headers(pageHeaders('p/', [], nonce, false))
      .status(status)
      .type('text/html; charset=utf-8')
      .send(page);
  },
};
