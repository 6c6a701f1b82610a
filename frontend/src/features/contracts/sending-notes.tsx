import { Link } from 'react-router-dom';
import type { Sending } from '../../../../backend/modules/contracts/contracts.api.js';
import { Quiet } from '../../ui/quiet.js';
import { useSendingPreview } from './contracts.queries.js';
import classes from './contracts.module.css';
import { guardiansInWords, lacksTrainer, missingInWords } from './sending-words.js';

interface SendingNotesProps {
  contractId: string;
  alunos: Sending['alunos'];
}

/** What is said before a contract is sent: whose guardian signs, and what the text will not say. */
export function SendingNotes({ contractId, alunos }: SendingNotesProps) {
  const { data } = useSendingPreview(contractId, alunos);
  const isOfOne = alunos !== 'todos' && alunos.length === 1;
  if (!data || alunos.length === 0) return null;
  return (
    <div role="status" className={classes.stack}>
      {[...guardiansInWords(data, isOfOne), ...missingInWords(data, isOfOne)].map((line) => (
        <Quiet size="sm" key={line}>
          {line}
        </Quiet>
      ))}
      {lacksTrainer(data) && <Link to="/ajustes/emitente">Preencher seus dados</Link>}
    </div>
  );
}
