import { expect, test } from '@jest/globals';
import { productTexts } from './texts.js';

/** Texts that the product's specification gives to the letter, of what is built. `${}` stands for what is filled in. */
const specified: Record<string, string[]> = {
  shell: [
    ...['Carregando...', 'Sua agenda que vira dinheiro', 'Previsto × recebido e reserva sugerida'],
    ...['Dashboard', 'Agenda', 'Alunos', 'Financeiro', 'Ajustes', 'Sair', 'Suporte', 'Acesso Negado'],
    ...['Agendamento', 'Aluno', 'Plano', 'Lançamento', 'Local'],
    ...['Logout realizado com sucesso', 'Erro ao fazer logout', 'Unexpected Application Error!'],
    ...['Notifications', 'Close toast', 'Desfazer', 'Ocorreu um erro inesperado.', 'Campos obrigatórios'],
    ...['Usuário não autenticado', 'Personal não encontrado'],
  ],
  'signing in': [
    ...['Email ou senha incorretos', 'Erro ao fazer login. Tente novamente.', 'Login realizado com sucesso!'],
    ...[
      'Usuário já cadastrado. Faça login.',
      'Erro ao criar conta. Tente novamente.',
      'Conta criada com sucesso!',
    ],
    ...['Não foi possível fazer login. Tente novamente.', 'Erro ao enviar email', 'Email enviado!'],
    ...['As senhas não coincidem', 'A senha deve ter no mínimo ${} caracteres'],
    ...['Convite inválido ou expirado', 'Este email já está cadastrado', 'Erro ao criar conta: ${}'],
    'Conta criada com sucesso! Você será redirecionado...',
  ],
  onboarding: [
    ...['Configuração Inicial', 'Começar Configuração', '% completo', 'Digite sua resposta...'],
    ...['Estrutura de atendimento', 'Rotina financeira', 'Gestão de agenda', 'Objetivos financeiros'],
    ...['Erro ao salvar', 'Não foi possível salvar seu perfil. Tente novamente.'],
    ...['Onboarding concluído!', 'Seu perfil financeiro foi configurado com sucesso.'],
  ],
  dashboard: [
    ...['Olá, ${}!', 'Hoje', 'sessões agendadas', 'Esta Semana', 'sessões programadas'],
    ...['Total de Alunos', 'alunos cadastrados', 'Locais Ativos', 'locais de atendimento'],
    ...['Próximas Sessões', 'Nenhuma sessão agendada', 'Aluno não encontrado', 'Local não encontrado'],
    'Sessões a cobrar',
  ],
  agenda: [
    ...[
      'Dia',
      'Semana',
      'Mês',
      'Ano',
      'Hoje',
      '+${} mais',
      'Agendada',
      'Realizada',
      'Cancelada',
      'Novo agendamento',
      'Editar agendamento',
    ],
    ...['Buscar', 'Digite para buscar', 'Nenhum resultado encontrado'],
    ...['Preencha aluno, data e horários.', 'Erro ao criar agendamento', 'Agendamento criado com sucesso!'],
    ...['Erro ao atualizar agendamento', 'Agendamento atualizado com sucesso!'],
    ...['Não foi possível excluir o agendamento.', 'Agendamento excluído'],
    ...['O agendamento foi removido com sucesso.', 'Agendar mesmo assim', 'Perdoar desta vez'],
    ...['No credits available', 'Aluno sem créditos disponíveis'],
  ],
  tasks: [
    ...['Todas as tarefas', 'Criar nova lista', 'Concluída (${})', 'Nenhuma tarefa nesta lista'],
    ...['Nova tarefa', 'Evento', 'Tarefa', 'Dia inteiro', 'Não se repete', 'Diariamente', 'Semanalmente'],
    ...['Mensalmente', 'Tarefa criada com sucesso!', 'Tarefa excluída com sucesso!'],
    ...['Lista criada com sucesso!', 'Erro ao atualizar tarefa', 'Tarefa atualizada com sucesso!'],
  ],
  availability: [
    ...['Configurar Horários', 'Modo Férias', 'Domingo', 'Sábado', 'Erro ao remover', 'Erro ao salvar'],
    ...['Horários salvos', 'Suas configurações foram atualizadas com sucesso.'],
    ...['Campos obrigatórios', 'Preencha as datas de início e término.'],
    ...['Datas inválidas', 'A data de início deve ser anterior à data de término.'],
    ...['Erro ao ativar férias', 'Modo férias ativado', 'Período removido', 'O bloqueio foi desativado.'],
  ],
  students: [
    ...['Sem contato', 'Plano:', 'Sem plano', 'Saldo baixo - Sugerir renovação do plano'],
    ...['Editar', 'Excluir', 'Inativar', 'Gerar Link de Convite', 'Renovar', 'Histórico'],
    ...['Novo Aluno', 'Nome completo *', 'WhatsApp *', 'Observações', '${} - ${}', 'Cancelar'],
    ...['Cadastrar Aluno', 'Salvando...', 'Aluno cadastrado com sucesso!', 'Copiar Link'],
    ...[
      'Enviar WhatsApp',
      'Voltar para Alunos',
      'Nome deve ter pelo menos 2 caracteres',
      'WhatsApp inválido',
    ],
    ...[
      'Aluno criado',
      'Aluno atualizado',
      'Erro ao criar aluno',
      'Erro ao atualizar aluno',
      'Erro ao carregar alunos',
    ],
    ...['Erro ao excluir', 'Não foi possível excluir o aluno.'],
    ...['Aluno excluído', 'O aluno foi removido com sucesso.'],
    ...['Link copiado!', 'Link criado!', 'Não foi possível gerar o link de convite.'],
    ...['Link de convite aberto no WhatsApp!', 'Link copiado para a área de transferência!'],
    'Não é possível remover o aluno: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
  ],
  'plans, locations, policies': [
    ...['Valor deve ser maior que zero', 'Créditos deve ser um número positivo', 'Validade em dias'],
    ...[
      'Plano criado',
      'Plano atualizado',
      'Plano removido',
      'Plano não encontrado',
      'Erro ao carregar planos',
    ],
    ...['Local criado', 'Local atualizado', 'Local removido', 'Erro ao carregar locais'],
    ...['Por favor, preencha: Nome', 'Por favor, preencha: WhatsApp', 'Política atualizada'],
    'Não é possível remover o plano: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
    'Não é possível remover o local: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
  ],
  finances: [
    ...['Janeiro', 'Dezembro', 'Lucro', 'Ticket Médio', 'Aderência', 'Nenhuma transação encontrada'],
    ...[
      'Receita ou Despesa?',
      'Tipo',
      'Descrição',
      'Valor (R$)',
      'Meio de Pagamento',
      'Data',
      'Meio',
      'Valor',
    ],
    ...['Detalhes da Transação', 'Alocações', 'Total alocado', 'Carregando alocações...'],
    'Nenhuma alocação encontrada para esta transação',
    ...['Erro ao buscar dados financeiros', 'Erro ao criar transação', 'Transação criada'],
    ...['Não foi possível salvar as configurações.', 'Configurações salvas', 'Meta de reserva'],
  ],
};

const said = new Set(
  productTexts()
    .filter(({ file }) => !file.includes('/gallery/'))
    .map(({ text }) => text),
);

test.each(Object.entries(specified))(
  'the texts of the specification are said to the letter: %s',
  (_, texts) => {
    expect(texts.filter((text) => !said.has(text))).toEqual([]);
  },
);
