// Runs only where JavaScript modules are unknown: browsers from before 2018.
document.body
  ? tell()
  : document.addEventListener('DOMContentLoaded', tell);
function tell() {
  document.body.setAttribute('data-state', 'failed');
  document.getElementById('headline').textContent = 'This browser is too old';
  document.getElementById('words').textContent =
    'The spectator needs Firefox, Chrome or Edge from 2021 or later, or Safari from 2023 or later. ' +
    'The list below works in any browser.';
}
