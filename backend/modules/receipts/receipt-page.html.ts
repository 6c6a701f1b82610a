import { html } from '../../platform/http/html.js';
import { document, fact, heading } from '../../platform/http/pages/shell.html.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { methodNames } from '../finance/money-words.api.js';
import { periodOf } from './receipt-file.pdf.js';
import type { ReadableReceipt } from './receipts.queries.js';

interface Shown {
  receipt: ReadableReceipt;
  /** The page's own path. */
  path: string;
  siteUrl: string;
}

/** The page of a receipt's link, without a script. Its file also has the documents; a preview does not name the payer. */
export function receiptPage({ receipt, path, siteUrl }: Shown): string {
  const { numero, valor, data, metodo_pagamento, descricao, prestador, cancelado, novo, partes } = receipt;
  const issuer = prestador.nome ?? 'Rende';
  const purpose = descricao ?? 'Serviços prestados';
  const title = cancelado === null ? `Recibo de ${brl(valor)}` : 'Recibo cancelado';
  return document(
    {
      title: `${title} · ${issuer}`,
      description:
        cancelado === null ? `${purpose} · Pago em ${shortDate(data)}` : 'Este recibo não tem mais validade.',
      site: siteUrl,
    },
    html`<main>
      ${heading(issuer, title, `Nº ${numero}, emitido por ${issuer} em ${shortDate(receipt.dia)}`)}
      ${
        cancelado !== null &&
        html`<p class="notice">
          ${partes.length > 0 ? 'Uma parte do' : 'O'} pagamento de ${brl(valor)} foi
          ${partes.length > 0 ? 'estornada' : 'estornado'} em ${shortDate(cancelado)}. Este recibo não tem
          mais validade.
          ${novo && html`<a href="${novo.path}">Ver o recibo nº ${novo.numero}, que vale no lugar deste</a>`}
        </p>`
      }
      <dl class="card facts">
        ${fact('Pago em', shortDate(data), methodNames[metodo_pagamento])}
        ${fact('Quem pagou', receipt.nome ?? 'Nome apagado')}
        ${fact('Referente a', purpose, periodOf(receipt))}
        ${partes.map((part) => fact(part.aluno ?? 'Nome apagado', brl(part.valor), part.descricao))}
        ${fact('Quem recebeu', issuer, prestador.cref && `CREF ${prestador.cref}`)}
      </dl>
      <p><a class="button full" href="${path}.pdf" download>Baixar recibo (PDF)</a></p>
      <h2>Confira se é verdadeiro</h2>
      <dl class="card facts">
        ${fact('Código do recibo', html`<a href="/verificar/${receipt.codigo}">${receipt.codigo}</a>`)}
        ${fact('Lacre do pagamento', html`<a href="/verificar/${receipt.lacre}">${receipt.lacre}</a>`)}
      </dl>
    </main>`,
  );
}
