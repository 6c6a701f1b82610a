import { wordFor } from '../../../../backend/platform/plural.api.js';
import { useToldContacts } from '../../parts/told-contacts.queries.js';
import { ToldQuestions } from '../../parts/told-question.js';
import { Card } from '../../ui/card.js';
import { ListChip } from '../../ui/chip.js';
import { Notice } from '../../ui/notice.js';

/** What students changed in their own accounts, each with its answers. */
export default function ToldByStudents() {
  const { data: told = [] } = useToldContacts();
  return (
    <ListChip
      figure={told.length > 0 ? String(told.length) : null}
      word={wordFor(told.length, 'cadastro a atualizar', 'cadastros a atualizar')}
      title="O que os alunos mudaram"
    >
      {told.length === 0 && (
        <Card>
          <Notice icon="check" title="Nenhum cadastro a atualizar" />
        </Card>
      )}
      <ToldQuestions of={told} />
    </ListChip>
  );
}
