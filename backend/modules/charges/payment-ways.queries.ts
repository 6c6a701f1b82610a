import QRCode from 'qrcode';
import { html, Html } from '../../platform/http/html.js';
import { fact } from '../../platform/http/pages/shell.html.js';
import { brl } from '../../platform/portuguese.js';
import type { PaymentPage } from './payment-page.api.js';

/** The steps to a payment with Pix. */
export async function byPix(
  { codigo, nome, documento, banco }: NonNullable<PaymentPage['pix']>,
  charge: PaymentPage,
): Promise<Html> {
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
            ${fact('Valor', brl(charge.pedido))}
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

export function claim({ personal, avisada }: PaymentPage): Html {
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
