import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pageTextsOf, textOf } from '../../../test/support/pdf-text.js';
import { consents, consentTexts } from './contracts.api.js';
import { type Evidence, writeSignedCopy } from './signed-copy.pdf.js';

const signedAt = new Date('2026-11-20T12:00:00Z');
const evidence: Evidence = {
  contract_id: '5f0c0a52-3d8f-4b5f-9f0e-6a7a2d3d1c11',
  titulo: 'Contrato',
  conteudo: '<h2>1. Partes</h2><ol><li><p>Primeira</p></li></ol><p>Cláusula <strong>única</strong>.</p>',
  versao: 2,
  personal: 'Ana Personal',
  nome: 'Łukasz Dvořák',
  cpf: '52998224725',
  telefone: '+5511943214321',
  nascimento: '2012-05-04',
  responsavel: { nome: 'Márcia Souza', cpf: '11144477735', relacao: 'mãe' },
  sem_responsavel: false,
  ip_address: '203.0.113.0',
  navegador: 'Mozilla/5.0',
  meio: 'link',
  consentimento: '2026-11-22',
  codigo_email: 'ana@exemplo.com.br',
  codigo_confirmado_em: signedAt,
  assinado_em: signedAt,
  conteudo_hash: 'a'.repeat(64),
  sal: 'b'.repeat(32),
  steps: [
    { type: 'ContractSent', em: '2026-11-19T12:00:00Z', posicao: 7, canal: 'email' },
    { type: 'ContractCodeConfirmed', em: '2026-11-20T11:59:00Z', posicao: 11, canal: null },
    { type: 'ContractSigned', em: '2026-11-20T12:00:00Z', posicao: 12, canal: null },
  ],
  posicao: 12,
  evento_hash: 'c'.repeat(64),
  codigo: 'K7QM-2XWD-9ABC-HJ4P',
  url: 'https://rende.app/verificar/K7QM-2XWD-9ABC-HJ4P',
  timezone: 'America/Sao_Paulo',
  carimbo: 'none',
};
/** Hash of each version's declarations, which must not change. A new version needs a line here. */
const agreedTo = {
  '2026-11-22': '9a7810eb8aa64bcc2669d2672cf6ad806e580a1057b069e51562c2cc07c740f8',
};
const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b/g)!.length;

describe('a signed copy', () => {
  it('says who signed for a student under 16, beside one under 18, and who is missing', async () => {
    const said = async (more: Partial<Evidence>) => textOf(await writeSignedCopy({ ...evidence, ...more }));
    const [young, older, alone] = await Promise.all([
      said({}),
      said({ nascimento: '2009-05-04' }),
      said({ nascimento: '2012-05-04', responsavel: null, sem_responsavel: true }),
    ]);
    expect(young).toMatch(/Aluno.*Assinado por\s*Márcia Souza, responsável \(mãe\)/s);
    expect(older).toMatch(/Assinado por\s*Łukasz Dvořák.*Assinado também por\s*Márcia Souza/s);
    expect(alone).toContain('a assinatura do responsável: o aluno tinha menos de 18 anos no dia');
    expect(young).not.toContain('a assinatura do responsável: o aluno');
  });

  it('contains the declarations of the version that was agreed to', async () => {
    const hashes = Object.entries(consentTexts).map(([version, texts]) => [
      version,
      createHash('sha256').update(JSON.stringify(texts)).digest('hex'),
    ]);
    expect(Object.fromEntries(hashes)).toEqual(agreedTo);
    expect(consents.versao).toBe(Object.keys(agreedTo).at(-1));
    for (const [version, texts] of Object.entries(consentTexts)) {
      const text = textOf(await writeSignedCopy({ ...evidence, consentimento: version }));
      for (const said of Object.values(texts))
        expect(text.replaceAll(/\s/g, '')).toContain(said.replaceAll(/\s/g, ''));
    }
    await expect(writeSignedCopy({ ...evidence, consentimento: '2020-01-01' })).rejects.toThrow(
      'nobody knows',
    );
  });

  it('says as text what was signed, by whom and when, and how to verify it', async () => {
    const text = textOf(await writeSignedCopy(evidence));
    for (const said of [
      '1. Partes',
      'Primeira',
      'Cláusula única.',
      'Łukasz Dvořák',
      '529.982.247-25',
      '(11) 94321-4321',
      '04/05/2012',
      'Assinado por',
      'Márcia Souza, responsável (mãe)',
      '111.444.777-35',
      '203.0.113.0',
      'pelo link individual',
      '20/11/2026 09:00:00 GMT-3 (America/Sao_Paulo)',
      '2026-11-20T12:00:00.000Z em UTC',
      'Enviado por e-mail',
      'Código confirmado',
      'Assinado',
      'Posição no registro',
      'Verificação K7QM-2XWD-9ABC-HJ4P · versão 2',
    ])
      expect(text).toContain(said);
    // Longer than a line.
    for (const hash of [evidence.conteudo_hash, evidence.evento_hash, evidence.url])
      expect(text.replaceAll(/\s/g, '')).toContain(hash);
    // The address is longer than the line too.
    expect(text.replaceAll(/\s/g, '')).toContain('enviadoparaa…@exemplo.com.br');
    expect(text).not.toContain('Carimbo do tempo');
  });

  it('does not say that a reminder was sent that the trainer may have sent by WhatsApp', async () => {
    const reminder = {
      type: 'ContractReminded',
      em: '2026-11-19T13:00:00Z',
      posicao: 8,
      canal: 'link' as const,
    };
    const text = textOf(await writeSignedCopy({ ...evidence, steps: [reminder, ...evidence.steps] }));
    expect(text).toContain('Lembrete por WhatsApp ou link');
    expect(text).not.toContain('Lembrete enviado');
  });

  it.each([
    ['present', 'na assinatura digital deste arquivo'],
    ['missing', 'o servidor de carimbo do tempo não deu um carimbo válido'],
  ] as const)('says of its time stamp that it is %s', async (carimbo, said) => {
    expect(textOf(await writeSignedCopy({ ...evidence, carimbo }))).toContain(said);
  });

  it('keeps every character of the text, and reports those that its font does not have', async () => {
    const plain = textOf(await writeSignedCopy(evidence));
    expect(plain).not.toContain('Símbolos');
    const text = textOf(await writeSignedCopy({ ...evidence, conteudo: '<p>Pacote 🔥 de Иван</p>' }));
    expect(text).toContain('Pacote [U+1F525] de Иван');
    expect(text).toContain('Símbolos que a fonte deste arquivo não tem');
  });

  it.each([{ nome: 'Márcia 山田' }, { relacao: 'mãe 💪' }])(
    'reports them also in %j of the guardian',
    async (other) => {
      const responsavel = { ...evidence.responsavel!, ...other };
      const text = textOf(await writeSignedCopy({ ...evidence, responsavel }));
      expect(text).toContain('[U+');
      expect(text).toContain('Símbolos que a fonte deste arquivo não tem');
    },
  );

  it('leaves emojis out of the names of who signed and who sent it', async () => {
    const responsavel = { ...evidence.responsavel!, nome: 'Márcia 🌻 Souza' };
    const names = { nome: 'Ana 💪', personal: '🏋️ Bia Personal', responsavel };
    const text = textOf(await writeSignedCopy({ ...evidence, ...names }));
    expect(text).toContain('Márcia Souza, responsável');
    expect(text).not.toMatch(/U\+|Símbolos/);
  });

  it('starts its evidence with how to verify it, and keeps the hashes on one page however many events there were', async () => {
    for (const many of [1, 6, 8, 10, 12, 14, 16, 18, 40]) {
      const reminders = Array.from({ length: many }, (_, n) => ({
        type: 'ContractReminded',
        em: '2026-11-19T13:00:00Z',
        posicao: 8 + n,
        canal: 'link' as const,
      }));
      const pages = pageTextsOf(
        await writeSignedCopy({ ...evidence, steps: [...reminders, ...evidence.steps] }),
      );
      const head = pages.find((text) => text.includes('Evidências da assinatura'))!;
      expect(head.indexOf('Verifique esta assinatura')).toBeLessThan(head.indexOf('Assinado por'));
      const integrity = pages.find((text) => text.includes('Integridade'))!;
      for (const said of ['SHA-256 do conteúdo', 'Sal', 'SHA-256 do registro', 'Este arquivo tem assinatura'])
        expect([many, integrity]).toEqual([many, expect.stringContaining(said)]);
    }
  });

  it('has its evidence on one page for a signature by link alone', async () => {
    const alone = {
      ...evidence,
      conteudo: '<p>a</p>',
      nascimento: null,
      responsavel: null,
      codigo_email: null,
      codigo_confirmado_em: null,
      url: 'https://rende.app/verificar',
    };
    const sent = evidence.steps.filter(({ type }) => type !== 'ContractCodeConfirmed');
    const opened = { type: 'ContractOpened', em: '2026-11-20T11:59:00Z', posicao: 11, canal: null };
    expect(pagesOf(await writeSignedCopy({ ...alone, steps: [...sent, opened] }))).toBe(2);
  });

  it('of ten pages is at most 150 kB, with room for its signature', async () => {
    const clause =
      '<h2>Cláusula</h2><p>O contratado planeja e acompanha o <strong>treinamento</strong> do contratante, no local combinado.</p>';
    const file = await writeSignedCopy({ ...evidence, conteudo: clause.repeat(140) });
    expect(pagesOf(file)).toBeGreaterThanOrEqual(10);
    expect(file.length).toBeLessThan(150_000);
  });
});
