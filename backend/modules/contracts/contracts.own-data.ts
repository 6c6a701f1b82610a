import type { OwnData } from '../../platform/features.js';

export const contractsOwnData: OwnData = {
  trainer: {
    contratos: `select id, titulo, tipo, is_active, codigo_email, responsavel, lembretes, versao, versoes, criado_em, alterado_em
      from contracts order by criado_em, id`,
  },
  sheets: {
    assinaturas: `select r.id, r.contract_id, r.student_id, a.nome as aluno, r.versao, r.status, r.enviado_em, r.expires_at, r.lembrado_em, r.aberto_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.titulo, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.enviado_em, r.id`,
  },
  student: {
    contratos: `select r.id, coalesce(r.titulo, c.versoes -> (r.versao - 1) ->> 'titulo') as titulo, r.versao, r.status, r.enviado_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r join contracts c on c.tenant_id = r.tenant_id and c.id = r.contract_id
      where r.student_id = $1 order by r.enviado_em, r.id`,
  },
};
