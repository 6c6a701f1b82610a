/** Content of a mail in Portuguese, without markup: rendered as both text and HTML. */
export interface Letter {
  /** One valid address. */
  to: string;
  subject: string;
  paragraphs: readonly string[];
  /** A code to be typed in. */
  code?: string;
  button?: { label: string; url: string };
  /** Further notes, such as how long the code is valid. */
  footnote?: string;
  /** Page where the recipient switches off mails of this kind. */
  unsubscribe?: string;
  attachment?: { name: string; type: string; content: string };
}

const UNSUBSCRIBE = 'Não receber mais estes e-mails';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

export function letterText({ paragraphs, code, button, footnote, unsubscribe }: Letter): string {
  return [
    ...paragraphs,
    ...(code ? [`Código: ${code}`] : []),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(footnote ? [footnote] : []),
    ...(unsubscribe ? [`${UNSUBSCRIBE}:\n${unsubscribe}`] : []),
    '-- \nRende · Sua agenda que vira dinheiro',
  ].join('\n\n');
}

/** Styles are inline because mail programs read no others. */
export function letterHtml({ subject, paragraphs, code, button, footnote, unsubscribe }: Letter): string {
  const paragraph = (text: string, style = '') =>
    `<p style="margin:0 0 16px${style}">${escapeHtml(text)}</p>`;
  const small = ';font-size:14px;color:#6b7080';
  const parts = [
    '<p style="margin:0 0 24px;font-size:20px;font-weight:700;color:#4f5dff">Rende</p>',
    ...paragraphs.map((text) => paragraph(text)),
    ...(code
      ? [
          `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:6px">${escapeHtml(code)}</p>`,
        ]
      : []),
    ...(button
      ? [
          `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:14px 24px;border-radius:12px;background:#4f5dff;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>`,
          paragraph('Se o botão não abrir, copie este endereço para o navegador:', small),
          `<p style="margin:0 0 16px;font-size:14px;word-break:break-all"><a href="${escapeHtml(button.url)}" style="color:#4f5dff">${escapeHtml(button.url)}</a></p>`,
        ]
      : []),
    ...(footnote ? [paragraph(footnote, small)] : []),
    paragraph('Rende · Sua agenda que vira dinheiro', ';margin-top:32px;font-size:13px;color:#6b7080'),
    ...(unsubscribe
      ? [
          `<p style="margin:0;font-size:13px"><a href="${escapeHtml(unsubscribe)}" style="color:#6b7080">${UNSUBSCRIBE}</a></p>`,
        ]
      : []),
  ];
  return `<!doctype html>
<html lang="pt-BR">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5fa">
<div style="max-width:520px;margin:0 auto;padding:32px;border-radius:16px;background:#ffffff;color:#16181f;font:16px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif">
${parts.join('\n')}
</div>
</body>
</html>
`;
}
