/** Where a browser may store a text about a person: on the device, in the open window, or nowhere. */
type Place = 'device' | 'window' | 'nowhere';

/**
 * Every personal field by its name, wherever it occurs, under the place where it may be stored: events may declare only these as
 * personal. Drafts, offline copies and log redaction are derived from it.
 */
const namesByPlace: Record<Place, readonly string[]> = {
  device: ['nome', 'titulo', 'aluno'],
  window: [
    'descricao',
    'description',
    'telefone',
    'whatsapp',
    'email',
    'observacoes',
    'etiquetas',
    'motivo',
    'justificativa',
    'cep',
    'endereco',
    'slug',
    'texto',
    'mensagem',
    'respostas',
    'tipo_atendimento',
    'tipo_planos',
    'formas_cobranca',
    'objetivos',
    'chave',
    'cidade',
    'banco',
    'url_api',
    'url_token',
    'client_id',
    'pix_copia_e_cola',
    'conteudo',
    'ip_address',
    'navegador',
    'cref',
    'relacao',
    'emergencia_nome',
    'emergencia_telefone',
    'emergencia_relacao',
    'responsavel_nome',
    'responsavel_telefone',
  ],
  nowhere: [
    'link_ics',
    'client_secret',
    'certificado',
    'chave_privada',
    'token_acesso',
    'cpf',
    'documento',
    'nascimento',
    'sal',
    'password',
    'confirmation',
  ],
};

export const personalNames: ReadonlyMap<string, Place> = new Map(
  Object.entries(namesByPlace).flatMap(([place, names]) => names.map((name) => [name, place as Place])),
);

/** Where the value of a field may be stored; a field that is not personal may be stored on the device. */
export const placeOf = (field: string): Place => personalNames.get(field) ?? 'device';
