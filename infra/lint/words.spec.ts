import { expect, it, test } from '@jest/globals';
import { productTexts, textsOf, textsOfPage } from './texts.js';

const COUNTED = '(alunos|aulas|cobranças|contratos|créditos|locais|planos|reservas|sessões|tarefas)';

/** Patterns that no text may contain, with an example, and what to write instead. */
const wrongForms: [pattern: RegExp, example: string, right: string][] = [
  // A number after "até" or a similar word is a limit, which is always more than one.
  [
    new RegExp(`\\b1 ${COUNTED}\\b|(?<!\\b(até|máximo|entre|não|mais de|os seus) )\\$\\{\\} ${COUNTED}\\b`),
    '1 alunos cadastrados',
    '1 aluno cadastrado, by plural()',
  ],
  [/relógio diz/, 'O relógio diz outra coisa', 'Faltam 5 h, ainda dá tempo: este motivo não cobra nada.'],
  [
    /\b[Uu]s(a|ou|ar) (1 )?crédito e taxa/,
    'usa 1 crédito e taxa de R$ 45,00',
    'desconta 1 crédito e cobra taxa de',
  ],
  [/^Desfeito\b/, 'Desfeito', 'Renovação desfeita; Cancelamento desfeito'],
  [
    /será enviada|^a enviar$/,
    'Sem internet: será enviada',
    'Será enviado quando a internet voltar; Ainda não enviado',
  ],
  [/\best(á|ão|ava|avam|ou|ar) a \p{L}+r\b/u, 'está a enviar', 'Ainda não enviado'],
  [
    /\b(telemóve(l|is)|utilizador|palavra-passe|ficheiro|regist(o|os)\b|contacto|partilh|descarreg|(inici|termin)ar sessão)/iu,
    'Guarde o ficheiro no telemóvel',
    'celular, arquivo, registro, contato, compartilhar, baixar, fazer login',
  ],
  [
    /[Ee]squecer (aluno|para)|ESQUECER|[Aa]luno esquecido/,
    'Esquecer aluno',
    'Apagar dados do aluno (LGPD), APAGAR',
  ],
  [/^(Some|Fica|Cancela)$|\bo que some\b/, 'Some', 'Será apagado; Será mantido; Será cancelado'],
  [/\b[Dd]eslig(a|ar|ue)\b|Ligar verificação|etapas (des)?ligada/, 'Ligar verificação', 'Ativar; Desativar'],
  [/[Cc]ódigo QR|Leia o código|seis números/, 'Código QR', 'QR Code; Escaneie; 6 dígitos'],
  [
    /A cada entrada|aparelhos saem/,
    'A cada entrada',
    'A cada login; Os outros aparelhos serão desconectados',
  ],
  [/Ir para a entrada/, 'Ir para a entrada', 'Ir para o login'],
  [/Convite aberto|, uma vez só/, 'Convite aberto, uma vez só', 'Convite pendente, uso único'],
  [/não está mais aberto/, 'Este cadastro não está mais aberto', 'expirou'],
  [/\bvalem? (por )?\S+ (dias?|minutos?|horas?)\b/, 'valem por 10 minutos', 'validade de 35 dias'],
  [/\bUsar 1\b/, 'Usar 1', 'Dar baixa em 1 crédito'],
  [/Acrescent|\b[Rr]etir(a|ar|ou|e|ad[oa]s)\b|foi retirad[ao]/, 'Acrescentar', 'Adicionar; Remover'],
  [/Renovou: recebeu/, 'Renovou: recebeu 10 créditos', 'Renovou o plano: +10 créditos'],
  [/Agora, nada marcado/, 'Agora, nada marcado', 'Livre agora'],
  [/Corrigir a anterior/, 'Corrigir a anterior', 'Corrigir resposta anterior'],
  [/Aqui está o que você/, 'Aqui está o que você já tinha digitado', 'Recuperamos o que você tinha digitado'],
  [/Dinheiro de/, 'Dinheiro de novembro', 'Financeiro de novembro'],
  [/sem dados de/, 'sem dados de out.', 'sem dados em out.'],
  [/\bvs\./, '+43,2% vs. out.', '43,2% a mais que em out.'],
  [/[Ii]nform(ar|e) o aluno\b/, 'Informar o aluno', 'Escolher o aluno'],
  [
    /[Ll]ink (de \p{L}+ )?não (existe ou não )?vale/u,
    'Este link não vale mais',
    'Link inválido ou expirado, by DeadLink',
  ],
  [/não valem? mais/, 'Este código não vale mais', 'expirou; não tem mais validade'],
  [/[Dd]ívida/, 'Maior dívida', 'em aberto'],
  [/para fora de/, 'para fora de listas', 'deixou 3 tarefas sem lista'],
  [
    /\b[Mm]arcar (\p{L}+ )?(aulas?|horário|sess(ão|ões))\b|\b[Mm]arcad[ao]s, rem|^marcadas?$|sess(ão|ões) já marcad/u,
    'Vamos marcar outro horário?',
    'agendar',
  ],
  [/como realizada/, 'Marcou a sessão como realizada', 'como feita, as the button says'],
  [/^Pulou na|\bfila na lista/, 'Pulou na lista de espera', 'Pulou o aluno na lista de espera'],
  [/recebe sozinho/, 'Quem tem e-mail recebe sozinho', 'recebe tudo por e-mail'],
  [/[Ee]ndereço de rede/, 'Endereço de rede', 'Endereço IP'],
  [/\bficha d[eo]\b/, 'O link está na ficha do aluno.', 'the name of the page or section'],
];

const rightFormFor = (text: string) => wrongForms.find(([pattern]) => pattern.test(text))?.[2];

test.each(wrongForms)('%s is found in "%s"', (_, example, right) => {
  const [found] = textsOf('example.tsx', `const text = <p title="${example}">{\`${example}\`}</p>;`);
  expect(rightFormFor(found!.text)).toBe(right);
});

it.each(['alunos cadastrados', 'sessões', 'cobranças em aberto'])(
  'finds a count before a plural, without a singular for 1: %s',
  (words) => {
    const [found] = textsOf('example.ts', `const text = \`\${total} ${words}\`;`);
    expect(rightFormFor(found!.text)).toBe('1 aluno cadastrado, by plural()');
  },
);

it('accepts a count that is a limit', () => {
  const [found] = textsOf('example.ts', 'const text = `Escolha até ${most} alunos`;');
  expect(rightFormFor(found!.text)).toBeUndefined();
});

it.each(['<p>{total} alunos cadastrados</p>', '<p><b>{total}</b> alunos cadastrados</p>'])(
  'finds a count that is a value in an element: %s',
  (element) => {
    const texts = textsOf('example.tsx', `const text = ${element};`).map(({ text }) => text);
    expect(texts).toContain('${} alunos cadastrados');
    expect(texts.map(rightFormFor)).toContain('1 aluno cadastrado, by plural()');
  },
);

it('finds texts in HTML pages', () => {
  const page = '<meta content="Código QR" />\n  está a enviar\n<p>Desfeito</p>';
  const texts = textsOfPage('index.html', page);
  expect(texts.map(({ line, text }) => [line, text])).toEqual([
    [1, 'Código QR'],
    [2, 'está a enviar'],
    [3, 'Desfeito'],
  ]);
  expect(texts.map(({ text }) => rightFormFor(text))).not.toContain(undefined);
});

it('no text of the product has a wrong form', () => {
  const texts = productTexts();
  expect(new Set(texts.map(({ file }) => file)).size).toBeGreaterThan(500);
  const wrong = texts.flatMap(({ file, line, text }) => {
    const right = rightFormFor(text);
    return right ? [`${file}:${line} "${text}": say ${right}`] : [];
  });
  expect(wrong).toEqual([]);
});
