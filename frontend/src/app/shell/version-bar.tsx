import { startNewVersion, useNewVersion } from '../../lib/new-version.js';
import { Bar, BarAction } from '../../ui/bar.js';

/** Offers a newer version; the page is reloaded only when the user confirms. */
export default function VersionBar() {
  const { ready } = useNewVersion();
  return (
    <div role="status">
      {ready && (
        <Bar icon="renew" tone="accent" actions={<BarAction onClick={startNewVersion}>Recarregar</BarAction>}>
          Há uma nova versão do Rende.
        </Bar>
      )}
    </div>
  );
}
