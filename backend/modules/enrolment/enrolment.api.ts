import { get, patch, post } from '../../platform/http/calls.api.js';
import { created } from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';
import { newStudent, studentChanges } from '../students/students.api.js';

export const enrolmentApi = {
  register: post('/students', {
    summary: 'Cadastra um aluno',
    body: newStudent,
    answer: created,
    status: 201,
  }),
  restore: post('/students/:id/restore', {
    summary: 'Reativa um aluno inativo ou excluído',
    answer: created,
  }),
  restorePrice: get('/students/:id/restore/preview', {
    summary: 'Mostra o que reativar um aluno muda',
    answer: price,
  }),
  update: patch('/students/:id', { summary: 'Altera um aluno', body: studentChanges, answer: created }),
};
