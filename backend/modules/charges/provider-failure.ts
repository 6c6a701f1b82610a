/** Why a call to a provider failed; the texts are in `failureWords`. */
export type FailureKind =
  | 'endereco'
  | 'conexao'
  | 'tempo'
  | 'tls'
  | 'certificado'
  | 'credenciais'
  | 'tamanho'
  | 'formato'
  | 'divergente'
  | 'removida'
  | 'pagamento'
  | 'anterior'
  | 'resposta';

/** Which of its two addresses was called. */
export type Asked = 'token' | 'api';

interface Details {
  /** Status of the answer. */
  status?: number;
  /** Problem type of the API Pix, such as `CobOperacaoInvalida`. */
  problem?: string | undefined;
}

const OF_ITS_CODE: readonly FailureKind[] = ['divergente', 'removida', 'pagamento', 'anterior'];
const OF_ONE_CHARGE = [400, 404, 409, 410, 422];

export class ProviderFailure extends Error {
  constructor(
    readonly asked: Asked,
    readonly kind: FailureKind,
    readonly details: Details = {},
  ) {
    super(`provider: ${asked} ${kind} ${details.status ?? ''}`.trim());
  }

  /** Whether the failure concerns only this charge, so that others may succeed. */
  get isOfOneCharge(): boolean {
    if (this.asked === 'token') return false;
    if (OF_ITS_CODE.includes(this.kind)) return true;
    return this.kind === 'resposta' && OF_ONE_CHARGE.includes(this.details.status!);
  }

  /** Whether a retry may succeed: not if the credentials were refused. */
  get isPassing(): boolean {
    if (this.kind === 'resposta') return ![400, 401, 403].includes(this.details.status!);
    return !['credenciais', 'certificado'].includes(this.kind);
  }

  /** The stored form: `token credenciais`, `api resposta 400 CobOperacaoInvalida`. */
  get code(): string {
    const { status, problem } = this.details;
    return [this.asked, this.kind, status, problem].filter((part) => part !== undefined).join(' ');
  }
}

const words: Readonly<Record<string, string>> = {
  endereco: 'o endereço não é público, não usa https:// ou não existe',
  conexao: 'o servidor não respondeu',
  tempo: 'o servidor demorou mais de 10 segundos',
  tls: 'o certificado do servidor não é confiável',
  certificado: 'o servidor pede um certificado de cliente ou recusou o que foi informado',
  credenciais: 'o Client ID ou o Client Secret foi recusado',
  tamanho: 'a resposta é grande demais',
  formato: 'a resposta não é a da API Pix',
  divergente: 'a resposta veio com outro valor, outra chave ou outra cobrança',
  removida: 'o provedor removeu o código',
  pagamento: 'a cobrança consta como paga, mas sem o Pix que a pagou',
  anterior: 'a conexão anterior não respondeu: o código novo espera por ela até um dia',
};

/** The text for the trainer of a stored failure. */
export function failureWords(code: string): string {
  const [asked, kind = '', status, problem] = code.split(' ');
  return `${asked === 'token' ? 'no endereço do token' : 'na API'}, ${status === undefined ? (words[kind] ?? 'houve um erro') : answered(Number(status), problem)}`;
}

function answered(status: number, problem: string | undefined): string {
  const named = problem === undefined ? String(status) : `${status}, ${problem}`;
  if (status === 403) return `o provedor negou o acesso (${named}): peça as permissões cob.read e cob.write`;
  if (status >= 500) return `o provedor está com um erro (${named})`;
  return `o provedor recusou o pedido (${named})`;
}
