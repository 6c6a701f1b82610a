/** Where a browser may store a text about a person: on the device, in the open window, or nowhere. */
type Place = 'device' | 'window' | 'nowhere';

/**
 * Every personal field by its name, wherever it occurs: events may declare only these as personal. Drafts, offline
 * copies and log redaction are derived from it.
 */
export const personalNames = {
  nome: 'device',
  descricao: 'window',
  description: 'window',
  titulo: 'device',
  telefone: 'window',
  whatsapp: 'window',
  email: 'window',
  observacoes: 'window',
  etiquetas: 'window',
  motivo: 'window',
  justificativa: 'window',
  cep: 'window',
  endereco: 'window',
  slug: 'window',
  texto: 'window',
  mensagem: 'window',
  respostas: 'window',
  tipo_atendimento: 'window',
  tipo_planos: 'window',
  formas_cobranca: 'window',
  objetivos: 'window',
  chave: 'window',
  cidade: 'window',
  banco: 'window',
  link_ics: 'nowhere',
  url_api: 'window',
  url_token: 'window',
  client_id: 'window',
  client_secret: 'nowhere',
  certificado: 'nowhere',
  chave_privada: 'nowhere',
  pix_copia_e_cola: 'window',
  conteudo: 'window',
  ip_address: 'window',
  navegador: 'window',
  cpf: 'nowhere',
  documento: 'nowhere',
  cref: 'window',
  nascimento: 'nowhere',
  relacao: 'window',
  emergencia_nome: 'window',
  emergencia_telefone: 'window',
  emergencia_relacao: 'window',
  responsavel_nome: 'window',
  responsavel_telefone: 'window',
  sal: 'nowhere',
  password: 'nowhere',
  confirmation: 'nowhere',
} as const satisfies Readonly<Record<string, Place>>;

const places: ReadonlyMap<string, Place> = new Map(Object.entries(personalNames));

/** Where the value of a field may be stored; a field that is not personal may be stored on the device. */
export const placeOf = (field: string): Place => places.get(field) ?? 'device';
