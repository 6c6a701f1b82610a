import type { ExpenseCategory } from '../finance/finance.api.js';

/** The words that the advisor understands, as data: in lower case without accents. `|` separates expressions, blanks words. */

/** What each word of the lists stands for. */
const standsFor = (lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(lists).flatMap(([meant, said]) => said.split(' ').map((word) => [word, meant])));

/** Common abbreviations in messages. */
export const SHORT = standsFor({
  ...{ quanto: 'qto qnto qnt qt', quantos: 'qtos qnts', quantas: 'qtas', quem: 'qm', qual: 'ql' },
  ...{ voce: 'vc', voces: 'vcs', tambem: 'tb tbm', hoje: 'hj oje', ontem: 'onti onte', mesmo: 'msm' },
  ...{ nao: 'n nn', que: 'q', porque: 'pq', estao: 'tao', estou: 'tou to', para: 'pra pro pras pros' },
  ...{ esta: 'ta nesta desta', essa: 'nessa dessa', este: 'neste deste', esse: 'nesse desse' },
  ...{ ultimo: 'ult', dinheiro: 'din grana', faturamento: 'faturam', pagamento: 'pgto pgt pagto' },
  ...{
    mensagem: 'msg',
    beleza: 'blz',
    obrigado: 'obg',
    valeu: 'vlw',
    ajuda: 'ajd',
    todo: 'td',
    todos: 'tds',
  },
  ...{
    mes: 'mez',
    segunda: 'seg',
    quarta: 'qua',
    quinta: 'qui',
    sexta: 'sex',
    sabado: 'sab',
    domingo: 'dom',
  },
});

/** Nicknames by first name. */
export const NICKNAMES = standsFor({
  ...{
    bia: 'beatriz',
    carol: 'carolina caroline',
    cris: 'cristiane cristiano cristina',
    dani: 'daniel daniela',
  },
  ...{ duda: 'eduarda', edu: 'eduardo', fabi: 'fabiana', nanda: 'fernanda', nando: 'fernando', ze: 'jose' },
  ...{
    chico: 'francisco',
    gabi: 'gabriela',
    gui: 'guilherme',
    lari: 'larissa',
    leo: 'leonardo',
    manu: 'manuela',
  },
  ...{ rafa: 'rafael rafaela', tati: 'tatiana', vivi: 'viviane' },
});

const valued = (words: string, step: number, first = 1): [string, number][] =>
  words.split(' ').map((word, n) => [word, (first + n) * step]);

/** Numerals below a thousand. */
export const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...valued('um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze', 1),
  ...valued('dezesseis dezessete dezoito dezenove', 1, 16),
  ...valued('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa', 10, 2),
  ...valued(
    'cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
    100,
  ),
  ...([
    ['uma', 1],
    ['duas', 2],
    ['catorze', 14],
    ['cem', 100],
  ] as const),
]);

export const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'];
export const MONTHS: readonly string[] =
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ');

const TIME_WORDS =
  'mes meses ano anos trimestre semestre passado passada anterior retrasado este esse atual corrente proximo proxima vem ultimo ultimos ultima agora hoje ontem anteontem amanha semana quinzena dia dias ate entre primeiro segundo terceiro quarto';

/** What trainers spend money on, by category; `outros` has none of its own. */
export const EXPENSES: Readonly<Partial<Record<ExpenseCategory, string>>> = {
  transporte: 'gasolina|combustivel|etanol|uber|taxi|onibus|metro|estacionamento|transporte|pedagio',
  aluguel: 'aluguel',
  academia: 'academia',
  equipamentos: 'material|equipament\\w*|elastic\\w*|halter\\w*|colchonete\\w*|anilha\\w*',
  cursos: 'curso|congresso|certificacao',
  divulgacao: 'anuncio|divulgacao|instagram|propaganda|panfleto\\w*',
  impostos: 'impostos?|(?:o|de|do) das|carne leao',
  outros:
    'conta de (?:luz|agua)|internet|celular|mercado|farmacia|almoco|lanche|cafe|contador|uniforme|camisetas?|manutencao|luz|energia|agua|telefone|aplicativo|roupas?|tenis',
};

const TOPIC =
  'mensalidade|pacote|plano|aulas?(?: avulsas?| experimental)?|treinos?|sessao|sessoes|consultoria|avaliacao';
const WHOM = '(?:(?:minha|meu) )?(?:alun[oa] )?QUEM';

/**
 * The parts of a statement about money. Capitals stand for what was found before: a student (QUEM), an amount (VALOR), a day (DIA)
 * and an expense (GASTO).
 */
export const PARTS = {
  recebi: '(?:eu )?(?:ja )?(?:recebi|ganhei)(?: (?:um|o) (?:pix|pagamento|deposito))?',
  pagou: `(?:[oa] )?${WHOM} (?:ja )?(?:(?:me )?(?:pagou|depositou|transferiu)|me (?:deu|mandou|passou|enviou)|(?:me )?(?:fez (?:um|o)|(?:mandou|passou|enviou) um) (?:pix|deposito|pagamento)|acabou de (?:me )?(?:pagar|depositar|transferir|mandar|passar))`,
  entrou:
    '(?:ja )?(?:me pagaram|entrou|entraram|(?:caiu|cairam|pingou)(?=.* (?:QUEM|conta|pix)))(?: (?:um|o) (?:pix|pagamento|deposito))?',
  entrada: '(?:entrada|recebimento|receita)(?= de VALOR)',
  gastei: '(?:eu )?(?:ja )?(?:gastei|paguei|comprei)',
  valor: '(?:(?:os?|de|por|no valor de) )?VALOR',
  quem: `(?:de|d[oa]) ${WHOM}`,
  dia: '(?:(?:em|n[oa]|est[ae]) )?DIA(?: (?:cedo|de manha|a tarde|a noite))?|agora(?: mesmo| ha pouco)?',
  como: '(?:no|via|por|pelo|em|com|de) pix|(?:em|no|com) dinheiro|em especie|(?:no|em|com|pelo) (?:cartao(?: de (?:credito|debito))?|debito|credito)|na maquininha|(?:na|em) (?:minha )?conta|por (?:transferencia|deposito)',
  assunto: `(?:d[aeo]s?|pel[ao]s?|por|referente (?:ao?|as)) (?:${TOPIC})(?: d[eo] (?:mes|${MONTHS.join('|')}))?`,
  gasto:
    '(?:(?:com|de|em|n[oa]s?|d[oa]s?|para|pel[oa]) )?(?:(?:um|uma|[oa]s?) )?GASTO(?: d[oa] (?:sala|estudio|studio|carro|moto))?',
  cortesia: 'oi|oie|ola|opa|bom dia|boa (?:tarde|noite)|(?:muito )?obrigad[oa]|valeu',
};
type Part = keyof typeof PARTS;

/** Which parts each statement has besides its amount: all of the first, some of the others. */
export const STATEMENTS: Partial<Record<Part, { is: 'receita' | 'despesa'; needs: Part[]; takes: Part[] }>> =
  {
    recebi: { is: 'receita', needs: [], takes: ['quem', 'dia', 'como', 'assunto'] },
    pagou: { is: 'receita', needs: [], takes: ['dia', 'como', 'assunto'] },
    entrou: { is: 'receita', needs: [], takes: ['quem', 'dia', 'como', 'assunto'] },
    entrada: { is: 'receita', needs: [], takes: ['quem', 'dia', 'como', 'assunto'] },
    gastei: { is: 'despesa', needs: ['gasto'], takes: ['dia', 'como'] },
  };

/** Signs that say nothing about what was paid. */
export const SILENT_SIGNS = /[.,!;\s\u{1f3fb}-\u{1f3ff}🎉💰💵💪👍✅🙌👏🙂😊😀😃😄🤑🚀🥳]+/gu;

/** Words that deny, doubt, suppose, wish, foretell, report, return or take back what a sentence says. */
export const MOODS = {
  negation:
    'nao|num|nunca|jamais|nem|nada|neca|necas|nenhum|nenhuma|uma ova|sem|zero|falt(?:a|am|ou|aram|ando|ava)',
  other: [
    'acho|talvez|sera|parece|aparentemente|supostamente|teoricamente|duvido|nao sei|nao lembro|provavelmente|deve ter|quase|capaz',
    'se|caso|quando|assim que|so que|mas|porem|entretanto|embora|desde que',
    'queria|quero|gostaria|tomara|espero|oxala|deus queira|quem dera|preciso|devia|deveria|era para|bem que|podia|poderia',
    'vai|vao|vou|ira|irao|iria|ia|iam|ficou de|ficaram de|promet\\w+|combin\\w+|pagaria|pagara|pagasse|pagar|pague|pagaria|amanha|depois|ainda|esta devendo|devendo|deve|devia',
    'disse|disseram|diz|dizem|falou|falaram|jur\\w+|contou|avisou|garant\\w+|afirm\\w+|segundo a|segundo o|ouvi|soube|mentira|mentiu|fingiu|supos\\w*|imagin\\w+|finge|digamos|faz de conta|por exemplo|exemplo|tipo|sonhei',
    'devolv\\w+|estorn\\w+|reembols\\w+|cancel\\w+|voltou|voltei|contest\\w+|chargeback|recus\\w+|bloque\\w+|errado|errada|engano|sem querer',
    'esquec\\w+|esquece|deixa|desconsider\\w+|ignor\\w+|na verdade|alias|corrig\\w+|errei|me enganei|apag\\w+|exclu\\w+|remov\\w+|retir\\w+|desfa\\w+|desfez',
  ].join('|'),
};

/** Words by concept. A word may belong to several concepts. */
const concepts = {
  quanto: 'quanto quantos quantas quantia valor total soma',
  quem: 'quem quais qual alguem',
  aluno: 'aluno alunos aluna alunas cliente clientes pessoa pessoas galera turma povo pessoal',
  recebi:
    'recebi recebeu recebemos recebido recebidos recebida recebimento recebimentos entrou entraram entrada entradas ganhei ganho ganhos faturei faturou faturamos faturamento faturado caiu arrecadei arrecadado arrecadacao fechei fechamos levantei rendeu rendimento rendimentos receita receitas fiz embolsei tirei',
  receber: 'receber recebo entrar entra ganhar faturar cair fazer',
  previsto:
    'previsto previstos prevista previsao previsoes esperado esperada espero projecao projetado estimativa estimado expectativa',
  vou: 'vou vai vamos irei devo preciso tenho posso',
  dever:
    'devendo deve devem devedor devedores devedora divida dividas inadimplente inadimplentes inadimplencia atrasado atrasados atrasada atrasadas atraso atrasos atrasou atrasaram pendente pendentes pendencia pendencias vencido vencidos vencida vencidas vencidos calote caloteiro caloteiros calotes cano canos enrolado enrolada enrolados enrolando enrolar pendurado pendurados aberto abertas debito debitos fiado',
  pagar: 'pagou pagaram pagar pago paga pagamento pagamentos pagam quitou quitaram quitar acertou acertaram',
  despesa:
    'despesa despesas gasto gastos gastei gastamos gastar gastou gastando custo custos saida saidas saiu sairam contas',
  paguei: 'paguei comprei',
  lucro:
    'lucro lucros lucrei lucrar lucrou lucrando sobrou sobra sobrando sobram liquido limpo prejuizo preju vermelho azul',
  guardar:
    'guardar guardo guarde poupar poupo economizar reservar reserva reservas separar separo poupanca juntar guardado cofrinho',
  imposto: 'imposto impostos tributo tributos leao',
  operacional: 'operacional operacao',
  retirada: 'retirada retirar retiro prolabore salario sacar',
  melhor: 'melhor maior recorde melhores top forte',
  pior: 'pior menor fraco fraca ruim piores',
  meta: 'meta metas objetivo objetivos alvo aderencia',
  falta: 'falta faltam faltando faltou resta restam restando',
  faltar: 'faltou faltaram faltas',
  ticket: 'ticket tiquete tickets medio media',
  sumir:
    'sumindo sumido sumidos sumida sumidas sumiu sumiram sumir some sumida largou largaram largando perdido perdidos desapareceu desapareceram desaparecido desaparecidos faltoso faltosos ausente ausentes abandonou abandonando abandonaram desistindo desistiu evasao inativos parados parado afastado afastados apareceu aparece aparecem apareceram',
  vir: 'vir vem veio vieram vindo parou pararam deixou deixaram treina treinam treinou treinar treinando',
  credito: 'credito creditos pacote pacotes saldo saldos',
  acabar:
    'acabando acabar acabou acabaram acabam terminando terminar pouco poucos pouca poucas baixo baixos zerado zerados renovar renovacao renovacoes vencendo vencer esgotando',
  sem: 'sem',
  aula: 'aula aulas sessao sessoes treino treinos hora horas',
  dar: 'dar dado dadas entregar entregue cumprir repor',
  comparar:
    'comparar compare compara comparacao comparado comparando comparativo versus vs contra diferenca cresci cresceu crescimento evolui evolucao aumentou',
  hipotese:
    'cobrasse pagasse pagassem aumentasse subisse reajustar reajuste reajustasse reajustando aumento passasse aumentando subindo',
  preco: 'preco precos aumentar subir caro cara mensalidade mensalidades valores',
  registrar:
    'registrar registre registra registro lancar lance lanca lancamento anotar anote anota adicionar adicione adiciona colocar coloca coloque botar bota bote por poe ponha',
  cobrar: 'cobrar cobre cobra cobranca cobrancas',
  gerar:
    'gerar gera gere criar cria crie emitir emite emita mandar manda mande fazer faz faca enviar envia envie nova',
  marcar: 'marcar marca marque baixa',
  agendar: 'agendar agenda agende agendamento encaixar encaixa encaixe',
  ocupacao:
    'cheio cheia cheios lotado lotada ocupado ocupada carga movimentado movimentada vazio vazia livre livres folga folgas folgado folgada vago vaga compromisso compromissos',
  atender: 'atendo atender atendi atendimento atendimentos',
  ajuda: 'ajuda ajudar socorro funciona oi ola oie opa eai bom boa tarde noite sabe consegue pode faz',
  obrigado: 'obrigado obrigada brigado brigada valeu beleza perfeito otimo show',
  dinheiro: 'dinheiro bufunfa',
} as const;

export type Concept = keyof typeof concepts;

const byWord = new Map<string, Set<Concept>>();
for (const [concept, words] of Object.entries(concepts) as [Concept, string][])
  for (const word of words.split(' ')) byWord.set(word, (byWord.get(word) ?? new Set()).add(concept));

export const conceptsOf = (word: string): ReadonlySet<Concept> => byWord.get(word) ?? new Set<Concept>();

/** Common words that are neither a concept nor a name. */
const PLAIN_WORDS =
  'partir vale antes depois apos atras apaga apagar exclui excluir deleta deletar cancela cancelar desmarca desmarcar remarca remarcar estorna estornar corrige corrigir vence vencem venceu venceram vencimento fim final resto restante algo sair metade bolo feira quer ganhou labore devida devidas plano planos conta a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela com para ao aos que se e ou eu voce voces ele ela eles elas me meu minha meus minhas seu sua nao ja mais menos muito bem mal isso isto aquele ai la aqui so tambem como quando onde porque foi era eram fui sao ser sera seria estou esta estao estava tem tinha ter teve tive ate desde sobre entao agora mesmo ainda tudo todo toda todos todas cada outro outra outros nada algum alguma mostra mostrar mostre diga dizer fala falar ver veja saber quero queria gostaria favor porfavor obrigada preciso deu da dei vez vezes bruto lista listar negocio situacao caixa real reais pix cartao especie via ref referente feita feito cobrada cobrado cada dele dela deles delas media trabalho trabalhar consultoria personal estava estavam ficou fica ficaram semanas tempo dias mensal anual financeiro financeira financas consultor resumo numeros numero andam anda indo hein ne po cara mano gente afinal tipo acho acha seja fosse for tivesse cobro cobrei cobrou devia deveria deveriam alguns algumas existem existe ha houve perto longe atingir bater bati alcancar chegar chegou cheguei conseguir consegui bolso bolsos dele mim comigo te ti lhe nos nosso nossa vcs valores';

const timeWords = [
  ...NUMBERS.keys(),
  ...WEEKDAYS,
  ...MONTHS.flatMap((name) => [name, name.slice(0, 3)]),
  ...TIME_WORDS.split(' '),
];

/** The words of a message that continues the question before it, besides names: "e em março?", "e a Ana?" */
export const FOLLOWING: ReadonlySet<string> = new Set([
  ...timeWords,
  ...'e mas ja so entao tambem o a os as de do da dos das em no na nos nas por pelo pela para com ao que quanto quantos quantas quem qual foi deu mais menos ha faz atras desde depois antes feira fim final comeco inicio todo toda inteiro aluno aluna'.split(
    ' ',
  ),
]);

export const vocabulary: ReadonlySet<string> = new Set([
  ...byWord.keys(),
  ...timeWords,
  ...PLAIN_WORDS.split(' '),
]);
