import type { ExpenseCategory } from '../finance/finance.api.js';

/** The words that the advisor understands, as data: in lower case without accents. `|` separates expressions, blanks words. */

/** What each word of the lists, "word: its forms", stands for. */
const standsFor = (...lists: string[]): ReadonlyMap<string, string> =>
  new Map(
    lists
      .flatMap((list) => list.split(', ').map((each) => each.split(': ')))
      .flatMap(([meant, said]) => said!.split(' ').map((word) => [word, meant!])),
  );

/** Common abbreviations in messages. */
export const SHORT = standsFor(
  'quanto: qto qnto qnt qt, quantos: qtos qnts, quantas: qtas, quem: qm, qual: ql, voce: vc',
  'voces: vcs, tambem: tb tbm, hoje: hj oje, ontem: onti onte, mesmo: msm, nao: n nn, que: q',
  'porque: pq, estao: tao, estou: tou to, para: pra pro pras pros, esta: ta nesta desta',
  'essa: nessa dessa, este: neste deste, esse: nesse desse, ultimo: ult, dinheiro: din grana',
  'faturamento: faturam, pagamento: pgto pgt pagto, mensagem: msg, beleza: blz, obrigado: obg',
  'valeu: vlw, ajuda: ajd, todo: td, todos: tds, mes: mez, segunda: seg, quarta: qua, quinta: qui',
  'sexta: sex, sabado: sab, domingo: dom',
);

/** Nicknames by first name. */
export const NICKNAMES = standsFor(
  'bia: beatriz, carol: carolina caroline, cris: cristiane cristiano cristina, dani: daniel daniela',
  'duda: eduarda, edu: eduardo, fabi: fabiana, nanda: fernanda, nando: fernando, ze: jose',
  'chico: francisco, gabi: gabriela, gui: guilherme, lari: larissa, leo: leonardo, manu: manuela',
  'rafa: rafael rafaela, tati: tatiana, vivi: viviane',
);

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
  ...valued('uma duas', 1),
  ...valued('catorze', 14),
  ...valued('cem', 100),
]);

export const WEEKDAYS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'];
export const MONTHS: readonly string[] =
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ');
/** In full, and their first three letters. */
export const MONTH_NAMES: readonly string[] = MONTHS.flatMap((name) => [name, name.slice(0, 3)]);

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

/** Words for days, weeks and months of the agenda. */
const SOME_DAYS = 'hoje|amanha|ontem|semana|mes|dia|domingo|segunda|terca|quarta|quinta|sexta|sabado';
/** Expressions for money that came in. */
export const RECEIVED =
  'recebi|pagou|pagaram|pagamento|entrada|entrou|recebimento|receita|caiu|ganhei|transferiu|depositou|pingou|me (deu|mandou|passou|enviou)|(fez|mandou|passou|enviou) (um |o )?(pix|deposito|dinheiro)|acabou de (me )?(pagar|passar|mandar|transferir|depositar)|^(um )?pix d[aeo]';
/** "deve" as an expectation, as in "Dezembro deve dar quanto?", not as a debt. */
const EXPECTS =
  '(devem?|deveria|vai|vao) (dar|render|entrar|cair|faturar|fazer|ficar|ser)|falta(m|ndo)? (eu )?(entrar|cair|receber|ganhar)';
const NOT_PAID =
  '(nao|num|nunca|jamais|nem)( (me|te|nos|ainda|ja))* (pagou|pagaram|pagam|acertou|acertaram|quitou|quitaram|deu|depositou|transferiu|mandou)|(pagou|deu) (nada|zero|uma ova)';
/** "e se eu cobrasse 10% a menos?": not supported, only increases are computed. */
const LOWERS =
  'a menos|desconto|mais barat[oa]|baixar|baixasse|abaixar|abaixasse|diminuir|diminuisse|reduzir|reduzisse';
/** How something was paid, in a question. */
export const BY_METHOD = 'pix|cartao|especie|debito|(em|no) dinheiro';
const COUNTED = 'quant[oa]s (receitas|despesas|recebimentos|pagamentos|gastos|lancamentos|entradas|pix)';
/** Taxes that were paid, which are expenses; those to be paid are a share of what came in. */
export const TAX_PAID =
  '@imposto & @paguei or gastei|gastamos|gasto|pagamos|(impostos?|foi|foram) (ja )?pagos?';
/** "quem já pagou?", "quais alunos pagaram em outubro?" */
export const WHO_PAID =
  '@pagar & quem|quant[oa]s\\b.*\\bpagaram|(quais|que) (os )?(meus )?(alun[oa]s|clientes)';
/** "quem faltou mais?", "quantas faltas a Ana teve?", unlike "quem faltou pagar?" and "faltou quanto?" */
const ABSENT = '@faltar & !@pagar receber dar meta dever credito cobrar & !quanto';

/**
 * What a message asks for or orders: the first rule of each group whose conditions hold (see `conditionOf`); "-" leaves its group
 * for the next one, "x" all of them. Groups are apart by an empty line.
 */
export const RULES = String.raw`
x = bitcoin|dolar|euro|acoes|bolsa|tesouro|dolares|euros|libras|cdb|investir|investimentos?|emprestimo|mei|clima
x = previsao do tempo|receitas? de bolo|eleicao|eleicoes
x = ${LOWERS} & @hipotese or se \w+

- = !#valued & !#percent
e_se = @hipotese or se (eu )?(cobrar|aumentar|subir|aumentasse|cobrasse|subisse|colocar|por|botar)
e_se = a mais|mais caro|mais cara & @cobrar preco or #question
e_se = #question & aumentar|subir

- = #valued or @credito dever comparar pagar sumir acabar or \d{1,2} ?h|as \d{1,2}
agenda = (minha|como|ver|mostrar?) (esta |anda |vai )?(a |o )?(minha |meu )?(agenda|dia|semana)
agenda = ^(a )?agenda (de |da |do |para |para a )?(hoje|amanha|ontem|semana|mes|proxima|este|esse|esta|essa)
- = !#question & !^(minha|meu|mostra|mostrar|ver)
- = #named & !${SOME_DAYS} & !#timed
agenda = @ocupacao & @aula agendar or ${SOME_DAYS} or #timed
agenda = quantas|quantos|quais|quem & @atender
- = devo|devidas?|pagas?|repor|entregar|faltam?|com quantas
- = @dar or ainda & !${SOME_DAYS}
agenda = quantas|quantos|quais & @aula
agenda = tenho\b.*\b(gente|alun[oa]s?|aulas?|treinos?) & ${SOME_DAYS}

- = #question or #denied
agendar = >agendar
agendar = >marcar & @aula
agendar = >marcar registrar & !#valued & !@pagar despesa & ${SOME_DAYS}
agendar = @agendar marcar & \d{1,2} ?(h|hs|horas?)|as \d{1,2} & ${SOME_DAYS}
agendar = agendar & amanha|hoje|dia|segunda|terca|quarta|quinta|sexta|sabado|domingo
pagar = (dar|da|de|dei) baixa|mar(ca|que)\w*\b.*\b(pag[oa]|pagou|quitad[oa])|quit(ar|ou|aram) & !#mood & !@despesa
pagar = #named & #dated & !#mood & pagou|acertou & !#valued
cobrar = >cobrar & !cobrancas
cobrar = >gerar & cobranca|boleto|pix
cobrar = (quero|preciso|pode) cobrar
- = !#valued or #mood
despesa = @despesa paguei & !pagou|recebi
despesa = #expense & !${RECEIVED} & !@pagar
receita = #added or @registrar or ${RECEIVED}

comparar = #several & e|com|ou|que|para & @comparar melhor pior
comparar = @comparar & !@dever
comparar = #several & x|(mais|menos)\b.*\bou
comparar = (mais|menos|melhor|pior) (do )?que & #timed
comparar = relacao ao?|em relacao

faltas = ${ABSENT} & @quem aluno or quantas faltas
faltas = ${ABSENT} & #question & #named
aulas_devidas = @aula & devo|devidas?|devendo|pagas? e nao|ja pag[oa]s?|pagas & !quem\b.*\bdevendo
aulas_devidas = @aula & @dar & !@acabar & !quem\b.*\bdevendo
aulas_devidas = @credito & todos|total|soma|somados|circulacao|ao todo|em aberto|abertos & !@acabar
sumindo = @sumir
sumindo = nao|parou|pararam|deixou|deixaram & @vir & !@credito
sumindo = @aluno or quem & falta(m|ndo)? (muito|demais|direto)
sumindo = perdendo & @aluno
- = saldo & !#named & #timed or meu saldo|saldo (na|da|em) (minha )?conta|caixa|banco
creditos = @credito or (quem|alunos?|plano)\b.*\brenov\w*|sem aulas?
creditos = @acabar & @aula
creditos = #question & @aula & (esta|estao) com (so )?(quantas|\d+|uma|duas|poucas)|ainda (tem|possui)|(tem|possui) ainda
creditos = #question & @aula & (rest|sobr)(a|am|ou|aram|ando)
creditos = #question & @aula & #named & quantas & !#timed & !${SOME_DAYS}
- = devo (guardar|separar|reservar|receber|retirar|tirar)|${EXPECTS}
previsto = vence|vencem|vencendo|vencimentos? & !#named & #timed
devedores = #named & vai (me )?pagar
devedores = #named & @vou & receber
- = menos de (\d+|um|uma|dois|duas) (dia|semana|mes)\w*
devedores = @dever & !@guardar imposto
devedores = quem\b.*\bvermelho
devedores = na rua & @quanto receber dinheiro
devedores = em dia & #named or @quem
devedores = #question & em dia|pagou|quitou|acertou & !#timed & !@quanto quem
devedores = ${NOT_PAID}|quem\b.*\bnao (me )?pag[ao]|(quanto|o que) (eu )?(ainda )?nao recebi
devedores = #named & nao recebi
devedores = falta(m|ndo)? (me )?pagar|(falta|faltam|quem) .*\bpagar
devedores = #question & quem\b.*\b(cobrar|cobro)
devedores = (lista|quais)\b.*\bcobrancas?|cobrancas (abertas|em)

melhor_mes = mes (em )?que\b.*\bmais
pior_mes = mes (em )?que\b.*\bmenos
melhor_mes = @melhor & mes|meses|recorde & !@meta
pior_mes = @pior & mes|meses
melhor_mes = em (que|qual) mes|(que|qual) (foi )?(o )?mes & mais
pior_mes = (que|qual) (foi )?(o )?mes & menos
meta = @meta
despesas = ${TAX_PAID}
divisao = @imposto & !@despesa
divisao = @operacional retirada or labore
guardar = @guardar
ticket = ticket\w*|tiquete
ticket = medi[oa] & @aluno recebi pagar quanto preco
previsto = @previsto & !@aula
previsto = ${EXPECTS}
lucro = @recebi & @despesa paguei & (recebi|ganhei|entrou|faturei) e
lucro = @lucro
lucro = saldo & !#named & #timed
divisao = para mim & @quanto & !rendeu|entrou|caiu
a_receber = !#timed & (a|para|falta) receber & !vou|vai|vamos|devo|irei
previsto = (a|vou|vai|vamos|devo|tenho|irei|para) (a |para )?(receber|entrar|ganhar|faturar|cair|fazer)
previsto = proximo mes|mes que vem|ano que vem & @receber recebi
despesas = @despesa paguei & !minhas contas
recebido = @recebi
despesas = #expense & #timed & quanto (foi|deu|veio)|(foi|deu|veio) quanto|^som(a|ar|e)
recebido = #timed & quanto (foi|deu|veio)|(foi|deu|veio) quanto|^som(a|ar|e)
recebido = @receber & @quanto or #timed
recebido = @pagar & @quanto quem or #timed
recebido = @dinheiro & @quanto
lucro = como (esta|foi|anda|vai|ta|estou|fui)|resumo|resultado|numeros|balanco|fechamento|desempenho & #timed or mes|meses|negocio\w*|\w*financ\w*

obrigado = @obrigado & #brief & !#question
ajuda = ajuda|ajudar|socorro|voce (faz|sabe|consegue|pode|responde)|como (voce |isso )?funciona
ajuda = ^(oi+|ola|oie|opa|eai|e ai|bom dia|boa tarde|boa noite) & #short
`;

/**
 * When a question of these intents, or with "!" of all others, is about a part of a sum that has no category, or about persons,
 * which no figure answers.
 */
export const OF_A_PART = String.raw`
despesas lucro = #named or alun[oa]|cliente
despesas = #expense & !#category
despesas = (maior|menor)(es)? (gasto|despesa|custo|saida)s?|${COUNTED}
despesas = ${BY_METHOD} & #category
faltas = nao|nunca|jamais|nem|menos
devedores = !#named & #valued or nao (esta |estao )?(me )?(deve|devem|devendo)
devedores = !#named & (mais|menos) (me )?(deve|devem|devendo)
devedores = !#named & (deve|devem|devendo)( \w+)? (mais|menos)\b(?! de \w+ (dia|semana|mes))
melhor_mes pior_mes = (melhor|pior|mais|menos|maior|menor|fraco|forte)\b.*\b(dia|semana)|(dia|semana)\b.*\b(mais|menos)
recebido previsto lucro guardar divisao ticket comparar = (que|qual) (foi )?(o |a )?(meu |minha )?(semana|dia)
recebido previsto lucro guardar divisao ticket comparar = por (dia|semana|mes|ano)
!despesas faltas devedores melhor_mes pior_mes = (maior|menor)(es)? (receita|recebimento|pagamento|entrada|pix)s?
recebido = ${COUNTED} & #dated
recebido = outr[oa]s? (personal|personais|trainers?|trein\w+|profess\w+)|por (aula|hora|sessao|treino|alun[oa]|cliente)
recebido = ${BY_METHOD} & #named or #who
recebido = @aluno & novos?|novas?
recebido = @aluno or quem & (mais|menos) (me )?(paga|pagam|pagou|rende|rendeu)|(paga|pagam|pagou|rende|rendeu) (mais|menos)
`;

/** Common words that are neither a concept nor a name. */
const PLAIN_WORDS =
  'partir vale antes depois apos atras apaga apagar exclui excluir deleta deletar cancela cancelar desmarca desmarcar remarca remarcar estorna estornar corrige corrigir vence vencem venceu venceram vencimento fim final resto restante algo sair metade bolo feira quer ganhou labore devida devidas plano planos conta a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela com para ao aos que se e ou eu voce voces ele ela eles elas me meu minha meus minhas seu sua nao ja mais menos muito bem mal isso isto aquele ai la aqui so tambem como quando onde porque foi era eram fui sao ser sera seria estou esta estao estava tem tinha ter teve tive ate desde sobre entao agora mesmo ainda tudo todo toda todos todas cada outro outra outros nada algum alguma mostra mostrar mostre diga dizer fala falar ver veja saber quero queria gostaria favor porfavor obrigada preciso deu da dei vez vezes bruto lista listar negocio situacao caixa real reais pix cartao especie via ref referente feita feito cobrada cobrado cada dele dela deles delas media trabalho trabalhar consultoria personal estava estavam ficou fica ficaram semanas tempo dias mensal anual financeiro financeira financas consultor resumo numeros numero andam anda indo hein ne po cara mano gente afinal tipo acho acha seja fosse for tivesse cobro cobrei cobrou devia deveria deveriam alguns algumas existem existe ha houve perto longe atingir bater bati alcancar chegar chegou cheguei conseguir consegui bolso bolsos dele mim comigo te ti lhe nos nosso nossa vcs valores';

const timeWords = [...NUMBERS.keys(), ...WEEKDAYS, ...MONTH_NAMES, ...TIME_WORDS.split(' ')];

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
