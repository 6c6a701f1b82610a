import type { HistoryWords } from '../../platform/event-store/history.js';
import { reassignedWords } from '../students/reassigned.js';
import type { StudentAccessEvent } from './student-access.js';

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string) => ({ subjects, words: () => words });

export const invitesHistory: HistoryWords<StudentAccessEvent> = {
  StudentInvited: said('Gerou um link de convite'),
  InvitesCancelled: said('Cancelou o convite'),
  InviteAccepted: said('Aceitou o convite'),
  AccessTakenOver: { subjects: () => [], words: reassignedWords },
  StudentAccessEnded: said('Encerrou o acesso do aluno'),
  AreaLinkOpened: said('Gerou um link da área do aluno'),
  AreaLinkEnded: said('Desativou o link da área do aluno'),
};
