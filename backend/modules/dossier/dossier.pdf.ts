import type { Stamp } from '../../platform/pdf/pdf-seals.service.js';
import { type Column, type PdfSheet, writePdf } from '../../platform/pdf/pdf.js';
import { brl, dateFormat, shortDate, zoneName } from '../../platform/portuguese.js';
import { formatDocument } from '../students/document.api.js';
import { type Outcome, outcomeNames } from '../seals/seals.api.js';
import type { DossierFacts, SourceRecord } from './dossier.facts.js';

export interface DossierFile extends DossierFacts {
  /** Calendar dates. */
  de: string;
  ate: string;
  zone: string;
  /** Null once the student is forgotten. */
  nome: string | null;
  cpf: string | null;
  personal: { nome: string; documento: string | null; cref: string | null };
  escrito_em: Date;
  codigo: string;
  /** Where the code is verified. */
  verificacao: string;
  /** The newest record that the file follows from. */
  ultimo: { posicao: number; hash: string; em: Date | null };
  /** Number of records that are named as sources. */
  registros: number;
  /** The first day that is sealed with all of them; null before that. */
  lacrado_em: string | null;
  /** The last check of the trainer's log. */
  conferido: { at: Date; outcome: Outcome } | null;
  /** The time stamp of the PDF's signature. */
  carimbo: Stamp;
}

const SMALL = { size: 9, gap: 3 };
const QR_SIZE = 64;
/** Of tables and sources, so that three months fit on four pages. */
const ROW_SIZE = 8;
const SOURCE_SIZE = 7.5;

const cut = (...columns: (readonly [label: string, width: number, align?: 'right'])[]): Column[] =>
  columns.map(([label, width, align]) => ({ label, width, ...(align && { align }) }));
/** Wide enough for four digits. */
const NUMBER = ['Nº', 1.25] as const;

/** A dispute's facts as one sober file: each has a number, and the last section says which records of the log it comes from. */
export function dossierFile(file: DossierFile): Promise<Buffer> {
  const { codigo, personal, escrito_em, verificacao } = file;
  const title = 'Dossiê de atendimento';
  const address = verificacao.replace(/^https?:\/\//, '').replace(/\/[^/]+$/, '');
  const info = {
    title,
    author: personal.nome,
    createdAt: escrito_em,
    footer: `${title} · ${codigo} · confira em ${address}`,
    keywords: `Rende ${codigo}`,
    signature: { name: 'Rende', reason: title, at: escrito_em },
  };
  return writePdf(info, async (sheet) => {
    sheet.heading(title);
    writeParties(sheet, file);
    writeContracts(sheet, file);
    await writeSessions(sheet, file);
    await writeCredits(sheet, file);
    await writeMoney(sheet, file);
    await writeMessages(sheet, file);
    writeSources(sheet, file);
  });
}

function writeParties(sheet: PdfSheet, file: DossierFile): void {
  const { personal, nome, cpf, zone, codigo, verificacao } = file;
  const exact = exactIn(zone);
  sheet.heading('1. Quem, quando e o quê', 2);
  sheet.facts(
    [
      ['Profissional', [personal.nome, personal.cref && `CREF ${personal.cref}`].filter(Boolean).join(', ')],
      ...given(
        personal.documento?.length === 14 ? 'CNPJ' : 'CPF',
        personal.documento && formatDocument(personal.documento),
      ),
      ['Aluno', nome ?? 'Dados pessoais apagados a pedido (LGPD)'],
      ...given('CPF do aluno', cpf && cpf.replace(/^.{3}(.{3})(.{3})..$/, '***.$1.$2-**')),
      ['Período', `${shortDate(file.de)} a ${shortDate(file.ate)}, ${zoneName(zone)}`],
      ['Feito em', exact(file.escrito_em)],
    ],
    SMALL,
  );
  sheet.paragraph(
    'Este dossiê reúne o que o Rende, o sistema em que o profissional trabalha, registrou sobre este aluno no período: contrato e regras, sessões, créditos, dinheiro e mensagens. Cada fato tem um número, e a seção 7 diz de que registros ele vem: quando foram feitos, por quem e em que aparelho.',
    SMALL,
  );
  sheet.paragraph(
    [
      { text: 'O que prova. ', bold: true },
      {
        text: 'Cada registro contém o código do anterior, e a cada madrugada um lacre assinado guarda fora do banco de dados até onde os registros iam. Por isso, nada que já foi lacrado pode ser mudado, removido ou acrescentado depois sem que isso apareça.',
      },
    ],
    SMALL,
  );
  sheet.paragraph(
    [
      { text: 'O que não prova. ', bold: true },
      {
        text: 'Que o que foi registrado é verdade: quem registra é o profissional ou o aluno, e algo pode não ter sido registrado. “WhatsApp” quer dizer que a mensagem foi aberta no WhatsApp para envio ou, onde o autor é “Rende”, enviada pelo sistema, como o “e-mail”. Se foi entregue ou lida, só consta onde o WhatsApp informou. “Rende” como autor é o próprio sistema, ou alguém que usou um link sem se identificar.',
      },
    ],
    { ...SMALL, gap: 8 },
  );
  sheet.qr(
    verificacao,
    [
      `Código ${codigo}`,
      `Confira em ${verificacao} se o registro mais novo deste dossiê continua como está.`,
      sealInWords(file),
    ],
    QR_SIZE,
  );
}

function writeContracts(sheet: PdfSheet, { contratos, regras, mostrada }: DossierFile): void {
  sheet.heading('2. Contrato e regra de cancelamento', 2);
  if (contratos.length === 0)
    sheet.paragraph('Nenhum contrato assinado pelo Rende até o fim do período.', SMALL);
  for (const { n, titulo, versao, fatos, clausula } of contratos) {
    sheet.paragraph(
      [{ text: `${n}. ${titulo === null ? 'Contrato' : `“${titulo}”`}, versão ${versao}`, bold: true }],
      SMALL,
    );
    sheet.facts(fatos, { size: 8.5, gap: 2 });
    if (clausula !== null)
      sheet.paragraph([{ text: `“${clausula}”`, italic: true }], { ...SMALL, indent: 18, gap: 8 });
  }
  for (const [n, place, terms, since] of regras)
    sheet.paragraph(
      [{ text: `${n}. Regra em ${place}. `, bold: true }, { text: `${terms} (${since}).` }],
      SMALL,
    );
  if (regras.length > 0)
    sheet.paragraph(
      [
        { text: 'Quando o aluno viu a regra. ', bold: true },
        { text: mostrada.join(' ') || 'Não há registro de que o aluno a tenha visto.' },
      ],
      { ...SMALL, gap: 8 },
    );
}

async function writeSessions(sheet: PdfSheet, { sessoes }: DossierFile): Promise<void> {
  sheet.heading('3. Sessões do período', 2);
  if (sessoes.linhas.length === 0) return nothing(sheet, 'Nenhuma sessão no período.');
  sheet.paragraph(`${sessoes.resumo} Entre colchetes, o registro de que cada linha vem.`, SMALL);
  const columns = cut(
    ['Nº', 26],
    ['Dia, hora e local', 88],
    ['Situação e custo', 78],
    ['O que aconteceu', 158],
    ['Lembrete e resposta', 133],
  );
  await sheet.table(columns, sessoes.linhas, { size: ROW_SIZE });
}

async function writeCredits(sheet: PdfSheet, { creditos }: DossierFile): Promise<void> {
  const { abertura, linhas, fechamento } = creditos;
  sheet.heading('4. Extrato de créditos', 2);
  sheet.paragraph(`Saldo antes do período: ${abertura}. Saldo no fim: ${fechamento}.`, SMALL);
  if (linhas.length === 0) return nothing(sheet, 'Nenhum lançamento no período.');
  const columns = cut(
    NUMBER,
    ['Quando', 3],
    ['Lançamento', 4],
    ['Por quê', 5],
    ['Registro', 1.6, 'right'],
    ['Créditos', 1.8, 'right'],
    ['Saldo', 1.6, 'right'],
  );
  await sheet.table(columns, linhas, { size: ROW_SIZE });
}

async function writeMoney(sheet: PdfSheet, { cobrancas, pagamentos }: DossierFile): Promise<void> {
  sheet.heading('5. Dinheiro', 2);
  if (cobrancas.linhas.length === 0) nothing(sheet, 'Nenhuma cobrança no período.');
  else {
    const { linhas, valor, pago, aberto } = cobrancas;
    await sheet.table(
      cut(
        NUMBER,
        ['Cobrança', 6],
        ['Vencimento', 2.6],
        ['Situação', 2.4],
        ['Valor', 2.4, 'right'],
        ['Pago até hoje', 2.4, 'right'],
        ['Em aberto', 2.4, 'right'],
      ),
      linhas,
      { size: ROW_SIZE, total: ['', 'Total sem as canceladas', '', '', brl(valor), brl(pago), brl(aberto)] },
    );
  }
  if (pagamentos.linhas.length === 0) return nothing(sheet, 'Nenhum pagamento no período.');
  await sheet.table(
    cut(NUMBER, ['Pago em', 2.4], ['Pagamento', 7], ['Meio', 2], ['Recibo', 1.8], ['Valor', 3.4, 'right']),
    pagamentos.linhas,
    { size: ROW_SIZE, total: ['', '', 'Recebido, sem os estornados', '', '', brl(pagamentos.recebido)] },
  );
}

async function writeMessages(sheet: PdfSheet, { mensagens }: DossierFile): Promise<void> {
  sheet.heading('6. Mensagens', 2);
  sheet.paragraph('Os lembretes e pedidos sobre as sessões do período estão na seção 3.', {
    ...SMALL,
    dim: true,
  });
  if (mensagens.length === 0) return nothing(sheet, 'Nenhuma outra mensagem no período.');
  await sheet.table(cut(NUMBER, ['Quando', 2.6], ['O quê', 11], ['Por quem', 2.4]), mensagens, {
    size: ROW_SIZE,
  });
}

function writeSources(sheet: PdfSheet, file: DossierFile): void {
  const { fontes, sessoes, zone, ultimo, conferido, carimbo } = file;
  const exact = exactIn(zone);
  const isInSessions = new Set(sessoes.linhas.map(([n]) => Number(n)));
  sheet.heading('7. Fontes e lacre', 2);
  sheet.paragraph(
    'De cada fato, o registro (a sua posição no histórico), o momento, o autor, o aparelho e o que foi registrado. As sessões (seção 3) e os créditos que elas usaram (seção 4) têm o registro na própria linha.',
    { ...SMALL, dim: true },
  );
  for (const { n, registros } of fontes.filter(({ n }) => !isInSessions.has(n))) {
    const said = registros.flatMap((record) => recordInWords(record, exact) ?? []).join('; ');
    if (said === '' && registros.length > 0) continue;
    const runs = [{ text: `${n}. `, bold: true }, { text: said || NO_RECORD }];
    sheet.paragraph(runs, { size: SOURCE_SIZE, gap: 1.5 });
  }
  for (const [who, positions] of devicesOf(fontes.filter(({ n }) => isInSessions.has(n))))
    sheet.paragraph([{ text: `${who}, nas sessões: `, bold: true }, { text: positions.join(', ') }], {
      size: SOURCE_SIZE,
      gap: 1.5,
    });
  sheet.keepTogether(90);
  sheet.space(6);
  sheet.facts(
    [
      ['Registro mais novo', `posição ${ultimo.posicao}${ultimo.em ? `, ${exact(ultimo.em)}` : ''}`],
      ['SHA-256 do registro', ultimo.hash],
      ['Lacre', sealInWords(file)],
      ...given(
        'Histórico verificado',
        conferido && `${exact(conferido.at)}: ${outcomeNames[conferido.outcome]}`,
      ),
      ...given('Carimbo do tempo', stamps[carimbo]),
    ],
    { size: 8.5, gap: 2 },
  );
  sheet.paragraph(
    'Este arquivo tem assinatura digital: qualquer leitor de PDF mostra se ele mudou depois de feito.',
    { ...SMALL, dim: true },
  );
}

const NO_RECORD = 'regra padrão do sistema, sem registro: vale onde o profissional não definiu outra';

/** Null where the fact itself says it. */
function recordInWords({ posicao, dito }: SourceRecord, exact: (em: Date) => string): string | null {
  if (!dito) return null;
  const { em, quem, aparelho, texto } = dito;
  return `registro ${posicao}: ${[exact(new Date(em)), quem, aparelho, texto].filter(Boolean).join(', ')}`;
}

/** The records by who made them on which device. */
function devicesOf(fontes: DossierFile['fontes']): [who: string, positions: number[]][] {
  const found = new Map<string, number[]>();
  for (const { posicao, dito } of fontes.flatMap(({ registros }) => registros)) {
    const who = `${dito!.quem}, ${dito!.aparelho ?? 'sem aparelho identificado'}`;
    found.set(who, [...(found.get(who) ?? []), posicao]);
  }
  return [...found];
}

const sealInWords = ({ lacrado_em, registros }: DossierFile): string =>
  lacrado_em === null
    ? `Os ${registros} registros ainda não estão todos lacrados: o próximo lacre é feito de madrugada.`
    : `Lacrado: o lacre do dia ${shortDate(lacrado_em)} cobre os ${registros} registros.`;

const stamps: Readonly<Record<Stamp, string | null>> = {
  none: null,
  present: 'RFC 3161, na assinatura digital deste arquivo',
  missing: 'ausente: o servidor de carimbo do tempo não deu um carimbo válido quando este arquivo foi feito',
};

const nothing = (sheet: PdfSheet, text: string) => sheet.paragraph(text, { ...SMALL, gap: 8 });
const given = (label: string, value: string | null | undefined): (readonly [string, string])[] =>
  value ? [[label, value]] : [];

/** `26/11/2026 7:05:09` */
const exactIn = (zone: string) => (at: Date) =>
  dateFormat(
    {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    },
    zone,
  )
    .format(at)
    .replace(',', '');
