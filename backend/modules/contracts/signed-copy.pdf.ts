import { dateOf } from '../../platform/local-time.js';
import type { Stamp } from '../../platform/pdf/pdf-seals.service.js';
import { type PdfSheet, writePdf } from '../../platform/pdf/pdf.js';
import { unprintable, withoutEmojis } from '../../platform/pdf/scripts.js';
import { guardianRole } from './age.api.js';
import { blocksOf } from './contract-blocks.html.js';
import { consentsOf } from './contracts.api.js';
import { maskedAddress } from './mailed-code.js';
import { formatCpf } from '../students/cpf.api.js';
import { formatPhone } from '../students/phone-format.api.js';
import type { Channel, SignedCopy } from './signature-request.js';

/** An event that led to the signature, with its position in the tenant's log. */
export interface Step {
  type: string;
  em: string;
  posicao: number;
  /** How it was sent, or the reminder. */
  canal: Channel | null;
}

/** Everything that a signed copy shows. */
export interface Evidence {
  contract_id: string;
  titulo: string;
  conteudo: string;
  versao: number;
  /** The trainer's name. */
  personal: string;
  nome: string;
  cpf: string | null;
  telefone: string | null;
  nascimento: string | null;
  responsavel: SignedCopy['responsavel'];
  /** Signed by a minor alone. */
  sem_responsavel: boolean;
  ip_address: string | null;
  navegador: string | null;
  meio: string;
  consentimento: string;
  /** The address to which the code was mailed. */
  codigo_email: string | null;
  codigo_confirmado_em: Date | null;
  assinado_em: Date;
  conteudo_hash: string;
  sal: string | null;
  steps: readonly Step[];
  posicao: number;
  evento_hash: string;
  codigo: string;
  url: string;
  timezone: string;
  /** The time stamp of the PDF's signature. */
  carimbo: Stamp;
}

const stepsInWords: Readonly<Record<string, string>> = {
  ContractSent: 'Enviado',
  ContractReminded: 'Lembrete',
  ContractOpened: 'Aberto',
  ContractCodeSent: 'Código enviado por e-mail',
  ContractCodeMistyped: 'Código digitado errado',
  ContractCodeConfirmed: 'Código confirmado',
  ContractRevoked: 'Link cancelado',
  ContractRestored: 'Link reativado',
  ContractSigned: 'Assinado',
};
const channelsInWords: Readonly<Record<Channel, string>> = {
  link: ' por WhatsApp ou link',
  email: ' por e-mail',
};
const stampsInWords: Readonly<Record<Stamp, string | null>> = {
  none: null,
  present: 'RFC 3161, na assinatura digital deste arquivo',
  missing: 'ausente: o servidor de carimbo do tempo não deu um carimbo válido quando este arquivo foi feito',
};
const MISSING_GUARDIAN =
  'a assinatura do responsável: o aluno tinha menos de 18 anos no dia. Esta assinatura sozinha não vale.';
const LIST_INDENT = 20;
/** Small, so that the evidence of most signatures fits on one page. */
const SMALL = { size: 9.5, gap: 2 };
/** So that a hash fits on one line. */
const HASH_SIZE = 8;
const QR_SIZE = 72;
/** About the height of the hashes and their explanation: keeps them on one page. */
const INTEGRITY_HEIGHT = 152;
const STAMP_HEIGHT = 30;

/**
 * Writes a signed contract with a page of evidence at its end, and room for the PDF's signature. The text has every character that
 * was signed; the names in the evidence are without emojis.
 */
export function writeSignedCopy(signed: Evidence): Promise<Buffer> {
  const { responsavel } = signed;
  const evidence = {
    ...signed,
    nome: withoutEmojis(signed.nome),
    personal: withoutEmojis(signed.personal),
    responsavel: responsavel && {
      ...responsavel,
      nome: responsavel.nome && withoutEmojis(responsavel.nome),
    },
  };
  const { titulo, personal, codigo, versao, assinado_em } = evidence;
  const info = {
    title: titulo,
    author: personal,
    createdAt: assinado_em,
    exact: true,
    // Only the title may be cut off for lack of room.
    footer: `Verificação ${codigo} · versão ${versao} · ${titulo}`,
    // Not compressed in the file: a verifier can find the code in a file that was changed.
    keywords: `Rende ${codigo}`,
    signature: { name: 'Rende', reason: 'Cópia assinada do contrato', at: assinado_em },
  };
  return writePdf(info, async (sheet) => {
    sheet.heading(titulo);
    writeText(sheet, evidence.conteudo);
    sheet.newPage();
    await writeEvidence(sheet, evidence);
  });
}

function writeText(sheet: PdfSheet, html: string): void {
  for (const { kind, level, marker, runs } of blocksOf(html)) {
    if (kind === 'heading') {
      const text = runs.map((run) => run.text).join('');
      sheet.heading(text, level === 1 ? 2 : 3);
    } else if (kind === 'paragraph') sheet.paragraph(runs);
    else sheet.paragraph(runs, { indent: level * LIST_INDENT, gap: 4, ...(marker && { marker }) });
  }
}

async function writeEvidence(sheet: PdfSheet, evidence: Evidence): Promise<void> {
  const { cpf, telefone, nascimento, responsavel, ip_address, navegador, sal, codigo_email } = evidence;
  const guardian = responsavel?.nome;
  const role = guardianRole(nascimento, dateOf(evidence.assinado_em, evidence.timezone));
  const moment = (at: Date) => `${clockOf(at, evidence.timezone)} (${evidence.timezone})`;
  sheet.heading('Evidências da assinatura');
  // At the top, so that it is never alone on a last page.
  sheet.qr(evidence.url, ['Verifique esta assinatura:', evidence.url, `Código ${evidence.codigo}`], QR_SIZE);
  sheet.facts(
    [
      ['Documento', `${evidence.titulo}, versão ${evidence.versao}`],
      ['Enviado por', evidence.personal],
      [guardian && role !== 'assiste' ? 'Aluno' : 'Assinado por', evidence.nome],
      ...given('CPF', cpf && formatCpf(cpf)),
      ...given('Telefone', telefone && formatPhone(telefone)),
      ...given('Nascimento', nascimento && nascimento.split('-').reverse().join('/')),
      ...given(
        role === 'assiste' ? 'Assinado também por' : 'Assinado por',
        guardian && `${guardian}, responsável (${responsavel?.relacao ?? ''})`,
      ),
      ...given('CPF do responsável', responsavel?.cpf && formatCpf(responsavel.cpf)),
      ...given('Falta', evidence.sem_responsavel && MISSING_GUARDIAN),
      ['Quando', `${moment(evidence.assinado_em)}, ${evidence.assinado_em.toISOString()} em UTC`],
      ['Como', evidence.meio === 'link' ? 'pelo link individual' : 'na própria conta, com login'],
      ...given(
        'Código por e-mail',
        evidence.codigo_confirmado_em &&
          `confirmado em ${moment(evidence.codigo_confirmado_em)}${codigo_email ? `, enviado para ${maskedAddress(codigo_email)}` : ''}`,
      ),
      ...given('Endereço IP', ip_address && `${ip_address} (sem a parte final)`),
      ...given('Navegador', navegador),
    ],
    SMALL,
  );
  sheet.heading('Declarações aceitas', 3);
  const agreed = consentsOf(evidence.consentimento);
  if (!agreed) throw new Error(`nobody knows the consents of ${evidence.consentimento}`);
  for (const text of [agreed.dados, agreed.termos, agreed.metodo]) sheet.paragraph(text, SMALL);
  sheet.paragraph(`Textos na versão de ${evidence.consentimento.split('-').reverse().join('/')}.`, {
    size: 9.5,
    dim: true,
  });
  sheet.heading('Etapas', 3);
  await sheet.table(
    [
      { label: 'Etapa', width: 3 },
      { label: `Quando (${evidence.timezone})`, width: 3 },
      { label: 'Posição no registro', width: 2, align: 'right' },
    ],
    evidence.steps.map(({ type, em, posicao, canal }) => [
      `${stepsInWords[type]!}${canal ? channelsInWords[canal] : ''}`,
      // The heading names the time zone.
      clockOf(new Date(em), evidence.timezone),
      String(posicao),
    ]),
  );
  sheet.keepTogether(INTEGRITY_HEIGHT + (evidence.carimbo === 'none' ? 0 : STAMP_HEIGHT));
  sheet.heading('Integridade', 3);
  sheet.facts(
    [
      ['SHA-256 do conteúdo', evidence.conteudo_hash],
      ...given('Sal', sal),
      ['Contrato', evidence.contract_id],
      ['Posição no registro', String(evidence.posicao)],
      ['SHA-256 do registro', evidence.evento_hash],
      ...given('Carimbo do tempo', stampsInWords[evidence.carimbo]),
    ],
    { ...SMALL, size: HASH_SIZE },
  );
  sheet.paragraph(
    `O SHA-256 do conteúdo é o do texto JSON, em UTF-8, com as chaves contract_id, versao, titulo, conteudo${sal === null ? '' : ' e sal'}, nesta ordem. Cada registro contém o SHA-256 do anterior. Este arquivo tem assinatura digital: qualquer leitor de PDF mostra se algo mudou.`,
    { size: 9.5, dim: true },
  );
  const typed = [evidence.titulo, evidence.conteudo, evidence.nome, evidence.personal];
  const [sign] = unprintable([...typed, guardian, responsavel?.relacao].join(''));
  if (sign !== undefined)
    sheet.paragraph(
      'Símbolos que a fonte deste arquivo não tem estão escritos pelo código, como [U+1F4AA].',
      {
        size: 9.5,
        dim: true,
      },
    );
}

const given = (
  label: string,
  value: string | false | null | undefined,
): (readonly [label: string, value: string])[] => (value ? [[label, value]] : []);

/** Such as `26/11/2026 07:05:09 GMT-3`. */
const clockOf = (at: Date, timeZone: string) =>
  at
    .toLocaleString('pt-BR', {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZone,
      timeZoneName: 'shortOffset',
    })
    .replace(',', '');
