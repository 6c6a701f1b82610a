import { formatMoment } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Row } from '../../ui/row.js';
import { Tag, type Tone } from '../../ui/tag.js';
import classes from './contracts.module.css';

interface ContractRowProps {
  to?: string;
  onClick?: () => void;
  titulo: string;
  state: { word: string; tone: Tone };
  at: string;
  /** The version that was sent. */
  version?: number;
}

/** A contract in a list. Its state stands under the title, because beside it a phone would have no room for the title. */
export function ContractRow({ to, onClick, titulo, state: { word, tone }, at, version }: ContractRowProps) {
  const zone = useZone();
  return (
    <Row
      {...(to !== undefined && { to })}
      {...(onClick && { onClick })}
      title={titulo}
      facts={
        <span className={classes.state}>
          <Tag tone={tone}>{word}</Tag> {formatMoment(at, zone)}
          {version !== undefined && ` · versão ${version}`}
        </span>
      }
    />
  );
}
