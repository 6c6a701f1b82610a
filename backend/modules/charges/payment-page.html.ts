import QRCode from 'qrcode';
import { html, Html } from '../../platform/http/html.js';
import { document, fact, heading } from '../../platform/http/pages/shell.html.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { owedInWords } from './charge-terms.api.js';
import type { PaymentPage } from './charges.api.js';

interface Shown {
  charge: PaymentPage;
  token: string;
  siteUrl: string;
}

/** The page of a charge's link: readable without a script, which copies the code and sees the payment arrive. */
export async function paymentPage({ charge, token, siteUrl }: Shown): Promise<string> {
  const { title, description, body } = partsOf(charge);
  return document(
    { title, description, site: siteUrl },
    html`<main class="payment${charge.pix && ' wide'}" data-token="${token}" data-version="${charge.versao}">
        ${await body}
      </main>
      <p id="news" class="unseen" role="status"></p>`,
  );
}

/** A preview tells no more than the page: neither the code nor who is to pay. */
function partsOf(charge: PaymentPage) {
  const { personal, situacao, pago, hoje, descricao, pix } = charge;
  if (situacao === 'paga')
    return {
      title: `Pagamento confirmado · ${personal}`,
      description: `Recebemos ${brl(pago)} · ${descricao}`,
      body: paid(charge),
    };
  if (situacao === 'cancelada')
    return {
      title: `Cobrança cancelada · ${personal}`,
      description: 'Não é preciso pagar.',
      body: cancelled(charge),
    };
  return {
    title: `${personal} · ${pix ? 'Pix' : 'Cobrança'} de ${brl(hoje.total)}`,
    description: `${descricao} · ${dueOf(charge)}`,
    body: due(charge),
  };
}

const dueOf = ({ situacao, vencimento }: PaymentPage) =>
  `${situacao === 'vencida' ? 'Venceu' : 'Vence'} em ${shortDate(vencimento)}`;

function paid({ primeiro_nome, personal, pago, descricao, pagamentos }: PaymentPage): Html {
  return html`<div class="state paga">
      <p class="kicker">Pagamento confirmado</p>
      <h1 class="news" tabindex="-1">Recebemos ${brl(pago)}</h1>
      <p class="dim">${primeiro_nome}, o pagamento chegou a ${personal}.</p>
    </div>
    <dl class="card facts">
      ${fact('Referente a', descricao)} ${fact('Quem recebeu', personal)} ${received(pagamentos)}
    </dl>
    ${pagamentos.some(({ recibo }) => recibo === null) && html`<p class="dim small">Se precisar de um recibo, peça a ${personal}.</p>`}`;
}

/** Each payment, with its receipt where there is one. */
const received = (payments: PaymentPage['pagamentos']) =>
  payments.map(({ valor, data, recibo }) =>
    fact(
      `Recebido em ${shortDate(data)}`,
      html`${brl(valor)}${recibo !== null && html` · <a href="${recibo}">Ver recibo</a>`}`,
    ),
  );

function cancelled({ personal, descricao }: PaymentPage): Html {
  return html`<div class="state cancelada">
      <h1 class="news" tabindex="-1">Cobrança cancelada</h1>
      <p class="dim">Não é preciso pagar. Em caso de dúvida, fale com ${personal}.</p>
    </div>
    <dl class="card facts">${fact('Referente a', descricao)}</dl>`;
}

async function due(charge: PaymentPage): Promise<Html> {
  const { personal, primeiro_nome, valor, pago, falta, hoje, descricao, situacao, pagamentos, pix, adiante } =
    charge;
  const today = owedInWords(falta, hoje);
  const when =
    situacao === 'vencida'
      ? html`<span class="late">${dueOf(charge)}.</span>${pix && ' Ainda dá para pagar por aqui.'}`
      : dueOf(charge);
  return html`${heading(personal, `Olá, ${primeiro_nome}!`, `${personal} enviou esta cobrança`)}
    <div class="card due">
      <p class="dim">${pago > 0 ? 'Falta pagar' : 'Valor'}</p>
      <p class="amount">${brl(hoje.total)}</p>
      <p>${descricao}</p>
      <p class="dim">${when}</p>
      ${today !== '' && html`<p class="dim">${today}</p>`}
      ${adiante.map((words) => html`<p class="dim small">${words}</p>`)}
    </div>
    ${
      pago > 0 &&
      html`<p class="notice news" tabindex="-1">
          Recebemos ${brl(pago)} de ${brl(valor)}. Falta pagar ${brl(falta)}.
        </p>
        ${pagamentos.some(({ recibo }) => recibo !== null) && html`<dl class="card facts">${received(pagamentos)}</dl>`}`
    }
    ${
      pix
        ? await byPix(pix, charge)
        : html`<p class="notice">Combine a forma de pagamento com ${personal}.</p>
            ${claim(charge)}`
    }`;
}

async function byPix(
  { codigo, nome, documento, banco }: NonNullable<PaymentPage['pix']>,
  charge: PaymentPage,
) {
  return html`<div class="pix">
    <section>
      <h2>Pague com Pix</h2>
      <ol class="steps">
        <li>
          <p><strong>Copie o código</strong></p>
          <button type="button" id="copy" class="button full" disabled>Copiar código Pix</button>
          <p id="copied" role="status"></p>
          <p class="code" id="code">${codigo}</p>
          <noscript><p class="dim small">Selecione o código inteiro e copie.</p></noscript>
        </li>
        <li>
          <p><strong>Abra o app do seu banco</strong>, em Pix copia e cola</p>
        </li>
        <li>
          <p><strong>Confira o nome e pague</strong></p>
          <dl class="card facts">
            ${fact('Quem recebe', nome, documento)} ${banco !== null && fact('Banco', banco)}
            ${fact('Valor', brl(charge.hoje.total))}
          </dl>
        </li>
      </ol>
      ${claim(charge)}
    </section>
    <section class="qr">
      <h2>Ou escaneie o QR Code</h2>
      <p class="dim small">Com o app do banco em outro aparelho.</p>
      ${await qrOf(codigo)}
    </section>
  </div>`;
}

function claim({ personal, avisada }: PaymentPage): Html {
  return html`<section class="claim">
    ${
      !avisada &&
      html`<form id="claim" novalidate>
        <button type="submit" class="button quiet full" disabled>Já paguei</button>
        <noscript><p class="notice">Para avisar que pagou, ative o JavaScript deste navegador.</p></noscript>
      </form>`
    }
    <p id="done" class="notice" tabindex="-1" ${avisada ? null : html`hidden`}>
      Aviso enviado. ${personal} confirma assim que o pagamento aparecer.
    </p>
    <div id="said" role="alert"></div>
    <p class="dim small">Quando o pagamento for confirmado, ele aparece aqui.</p>
  </section>`;
}

async function qrOf(code: string): Promise<Html> {
  const svg = await QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return new Html(svg.trim().replace('<svg', '<svg role="img" aria-label="QR Code do Pix"'));
}
