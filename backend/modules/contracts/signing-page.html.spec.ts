import { describe, expect, it } from '@jest/globals';
import { consents, type Signable } from './contracts.api.js';
import { signingPage } from './signing-page.html.js';

const open = {
  id: 'r',
  personal: 'Bruna Dias',
  titulo: 'Termo & adesão',
  versao: 2,
  estado: 'enviado',
  conteudo:
    '<h2>Partes</h2><p>Eu, Lia &lt;b&gt;, CPF {{cpf}}: <a href="https://x.br">site</a></p><h3>Um</h3>',
  expires_at: '2026-12-02T12:00:00.000Z',
  aluno: { nome: 'Lia <Prado>', whatsapp: null },
  codigo_email: null,
  responsavel: false,
  papel_responsavel: null,
  prova: null,
  pede_cpf: false,
} satisfies Signable;
const veiled = {
  nome: null,
  cpf: null,
  telefone: null,
  assinado_em: '2026-11-20T12:00:00.000Z',
  ip_address: null,
  navegador: null,
  conteudo_hash: 'a'.repeat(64),
  sal: null,
  nascimento: null,
  responsavel: null,
  codigo_confirmado_em: null,
  consentimento: consents.versao,
  codigo: 'K7QM-2XWD-9ABC-HJ4P',
  tem_pdf: true,
  desistir_ate: null,
} satisfies NonNullable<Signable['prova']>;
const told = {
  ...veiled,
  nome: 'Lia Prado',
  cpf: '52998224725',
  telefone: '+5511943214321',
  ip_address: '203.0.113.0',
  navegador: 'Firefox',
  sal: 'b'.repeat(32),
  nascimento: '2009-05-04',
  responsavel: { nome: 'Márcia Lima', cpf: '11144477735', relacao: 'Mãe' },
  codigo_confirmado_em: '2026-11-20T11:59:00.000Z',
};

function pageOf(more: Partial<Signable> = {}) {
  const page = signingPage({
    contract: { ...open, ...more },
    token: 'TOKEN',
    timezone: 'America/Sao_Paulo',
    today: '2026-11-21',
    siteUrl: 'https://rende.example',
  });
  const meta = (name: string) => new RegExp(`="${name}" content="([^"]*)"`).exec(page)?.[1];
  const head = page.slice(0, page.indexOf('<body'));
  // As read by a person: without tags, and with one space.
  const words = page
    .slice(page.indexOf('<main'), page.indexOf('<footer'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return { page, head, words, meta, title: /<title>(.*)<\/title>/.exec(page)![1] };
}

describe('the page of a signing link', () => {
  it('says what is to be signed, and shows its text with a line for the CPF, and safe links', () => {
    const { page, words } = pageOf();
    for (const said of [
      'Você vai assinar “Termo &amp; adesão”: 2 minutos',
      'Enviado por Bruna Dias',
      'Aguardando Assinatura',
      'O link expira qua., 2 de dez., 9:00.',
      'Eu, Lia &lt;b&gt;, CPF ___.___.___-__ :',
      consents.dados,
      consents.termos,
      consents.metodo,
      'Recusar contrato',
      'Para assinar, ative o JavaScript deste navegador.',
    ])
      expect(words).toContain(said);
    // The largest heading of the text stands below that of the page.
    expect(page).toContain('<h2>Partes</h2>');
    expect(page).toContain('<h3>Um</h3>');
    expect(page).toContain('<a target="_blank" rel="noopener noreferrer" href="https://x.br">site</a>');
    expect(page).toContain('value="Lia &lt;Prado&gt;"');
    expect(page).not.toMatch(/<b>|<Prado>|<style|style="/);
    expect(pageOf({ conteudo: '<h1>A</h1><h3>B</h3>' }).page).toContain('<h2>A</h2><h3>B</h3>');
  });

  it('asks for the birth date and for a guardian where they are needed', () => {
    const asks = (more: Partial<Signable>) => {
      const { page, words } = pageOf(more);
      return [
        words.includes('CPF do aluno *'),
        page.includes('name="nascimento"'),
        /<div\s+id="guardian"[^>]*>/.exec(page)?.[0].includes('hidden'),
      ];
    };
    expect(asks({})).toEqual([false, false, undefined]);
    expect(asks({ responsavel: true })).toEqual([true, true, true]);
    expect(asks({ papel_responsavel: 'assiste' })).toEqual([true, false, false]);
    expect(pageOf({ papel_responsavel: 'representa' }).words).toContain(
      'O aluno tem menos de 16 anos: quem assina é o responsável.',
    );
    expect(pageOf({ papel_responsavel: 'assiste' }).words).toContain(
      'O aluno tem menos de 18 anos: aluno e responsável assinam juntos.',
    );
  });

  it('asks for the mailed code, and says where it goes', () => {
    const words = (para: string | null, enviado = false) =>
      pageOf({ codigo_email: { para, enviado, confirmado: false } }).words;
    expect(words('l…@x.br')).toContain('Para assinar, confirme um código de 6 dígitos que vai para l…@x.br.');
    expect(words('l…@x.br', true)).toContain('Enviamos um código de 6 dígitos para l…@x.br.');
    expect(words('l…@x.br', true)).toContain('Enviar outro código');
    expect(words(null)).toContain(
      'Este contrato pede um código por e-mail, e não há e-mail no seu cadastro. Peça ao seu personal para incluir.',
    );
  });

  it("tells of a signed one no more than that, until the signer's CPF is typed", () => {
    const signed = { estado: 'assinado', conteudo: '', aluno: null } as const;
    const { words } = pageOf({ ...signed, prova: veiled, pede_cpf: true });
    expect(words).toContain(
      'Assinado em 20/11/2026, 9:00:00 GMT-3. Para ler o texto e baixar o PDF, informe o CPF de quem assinou.',
    );
    expect(words).not.toMatch(/Sua via|SHA-256|K7QM/);
    const prova = { ...veiled, desistir_ate: '2026-11-28T02:59:59.000Z' };
    expect(pageOf({ ...signed, prova, pede_cpf: true }).words).toContain(
      'Para ler o texto, baixar o PDF ou desistir, informe',
    );
  });

  it('gives the copy of a signed one, with its evidence folded', () => {
    const prova = { ...told, desistir_ate: '2026-11-28T02:59:59.000Z' };
    const { page, words } = pageOf({ estado: 'assinado', prova });
    for (const said of [
      'Pronto, Lia.',
      'Sua via Baixar PDF Mandar o link por e-mail',
      'Assinado por Lia Prado',
      'CPF 529.982.247-25',
      'Telefone (11) 94321-4321',
      'Nascimento 04/05/2009',
      'CPF do responsável 111.444.777-35',
      'Assinado também por Márcia Lima, responsável (Mãe)',
      'Código por e-mail 20/11/2026, 8:59:00 GMT-3',
      'Quando 20/11/2026, 9:00:00 GMT-3',
      'Versão 2',
      'Endereço IP 203.0.113.0',
      'Navegador Firefox',
      `SHA-256 do conteúdo ${'a'.repeat(64)}`,
      `Sal do SHA-256 ${'b'.repeat(32)}`,
      'Declarações aceitas (textos de 22/11/2026)',
      consents.metodo,
      'Você pode desistir até 27/11/2026, 23:59:59 GMT-3 (CDC, art. 49).',
    ])
      expect(words).toContain(said);
    expect(page).toContain('<a href="/verificar/K7QM-2XWD-9ABC-HJ4P">K7QM-2XWD-9ABC-HJ4P</a>');
    expect(/href="mailto:[^"]*"/.exec(page)![0]).toMatch(
      /subject=Contrato%20assinado%3A%20Termo%20%26%20ades%C3%A3o&amp;body=[^&]*%2Fassinar%2FTOKEN"$/,
    );
    expect(page.indexOf('<summary>Evidências')).toBeLessThan(page.indexOf('529.982.247-25'));
    const ofChild = { ...prova, nascimento: '2014-05-04', tem_pdf: false };
    const child = pageOf({ estado: 'assinado', prova: ofChild }).words;
    for (const said of [
      'Pronto, Márcia.',
      'Aluno Lia Prado',
      'Assinado por Márcia Lima',
      'Preparando o PDF…',
    ])
      expect(child).toContain(said);
  });

  it.each([
    ['expirado', 'O prazo para assinar expirou', 'Peça um novo link ao seu personal.'],
    ['recusado', 'Este contrato foi recusado', 'Para assinar, peça ao seu personal que envie de novo.'],
  ] as const)('that is %s says so, and what to do', (estado, why, way) => {
    const { words, title } = pageOf({ estado, conteudo: '', aluno: null });
    expect(words).toContain(`${why} ${way} “Termo &amp; adesão”, enviado por Bruna Dias`);
    expect(words).not.toMatch(/Assinar|Lia/);
    expect(title).toBe(`${why} · Bruna Dias`);
  });

  it('says after a withdrawal that it is over, and still shows what was signed', () => {
    const { words } = pageOf({ estado: 'desistido', prova: told });
    expect(words).toContain('Houve desistência deste contrato A assinatura deixou de valer.');
    expect(words).toContain('Assinado por Lia Prado');
    expect(words).not.toMatch(/Pronto|desistir até/);
  });

  it('has a preview that tells no more than the page, and not the link', () => {
    const { head, meta, title } = pageOf();
    expect(title).toBe('Bruna Dias · Termo &amp; adesão');
    expect([meta('og:title'), meta('og:description'), meta('robots'), meta('og:image')]).toEqual([
      title,
      'Você vai assinar: 2 minutos.',
      'noindex, nofollow',
      'https://rende.example/icon-512.png',
    ]);
    expect(head).not.toMatch(/TOKEN|Lia|og:url/);
    const signed = pageOf({ estado: 'assinado', prova: told });
    expect(signed.title).toBe('Contrato assinado · Bruna Dias');
    expect(signed.head).not.toMatch(/TOKEN|Lia|Márcia|529/);
  });
});
