"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filters");
  const PAGE = 20;
  // Ids of real videos end in one of these; others have no page to link to.
  const REAL = /^[\w-]{10}[AEIMQUYcgkosw048]$/;
  let at = 0;
  let found = [];

  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children.filter((child) => child !== null));
    return element;
  };
  const fill = (name, entries) => {
    for (const [value, text] of entries) form.elements[name].append(new Option(text, value));
  };
  const answered = (item, answer) => {
    if (answer === null) return "none";
    if (answer === "!") return "wrong";
    if (item.stage === "s3") return answer[2] >= data.hit ? "right" : "wrong";
    return answer === item.answer ? "right" : "wrong";
  };
  const LETTERS = "ABCD";
  const seconds = (value) => value.toFixed(1);

  fill("country", [["", "all"], ...Object.entries(data.countries)]);
  fill("category", [["", "all"], ...data.categories.map((name) => [name, name])]);
  const stages = ["s1", "s2", "s3"].filter((stage) => data.items.some((item) => item.stage === stage));
  fill("stage", [["", "all"], ...stages.map((stage) => [stage, stage.toUpperCase()])]);
  const some = data.models.length > 1 ? [["any", "any model"], ["all", "all models"]] : [];
  fill("model", [...some, ...data.models.map((name, place) => [String(place), name])]);
  fill("answer", [["", "right or wrong"], ["right", "right"], ["wrong", "wrong"], ["none", "no answer"]]);

  const words = data.items.map((item) =>
    [item.id, item.stage === "s3" ? `${item.name} ${item.cue}` : data.texts[item.text],
      item.stage === "s1" ? item.options.join(" ") : ""].join(" ").toLowerCase());

  const matches = (item, place, wanted) => {
    if (wanted.country && item.country !== wanted.country) return false;
    if (wanted.category && item.category !== wanted.category) return false;
    if (wanted.stage && item.stage !== wanted.stage) return false;
    if (wanted.text && !words[place].includes(wanted.text)) return false;
    if (!wanted.answer) return true;
    const has = (answer) => answered(item, answer) === wanted.answer;
    if (wanted.model === "any") return item.answers.some(has);
    if (wanted.model === "all") return item.answers.every(has);
    return has(item.answers[Number(wanted.model)]);
  };

  const who = (item, test) => {
    const names = data.models.filter((_, place) => test(item.answers[place]));
    return names.length ? make("span", "who", ` ← ${names.join(", ")}`) : null;
  };
  const moment = ([video, start, end]) => linked(video, start, `${video} ${seconds(start)}–${seconds(end)} s`);
  const linked = (video, start, text) => {
    if (!REAL.test(video)) return text;
    const link = make("a", "", text);
    link.href = `https://youtu.be/${video}?t=${Math.floor(start)}`;
    link.rel = "noreferrer";
    return link;
  };
  const choices = (item) => {
    const list = make("ol", "");
    item.options.forEach((option, place) => {
      const key = place === item.answer;
      const text = item.stage === "s1" ? option : moment(option);
      list.append(make("li", key ? "key" : "", text, key ? " ✓ key" : "", who(item, (answer) => answer === place)));
    });
    return list;
  };
  const bar = (name, start, end, length) => {
    const element = make("span", `bar ${name}`);
    element.style.left = `${Math.min(100, Math.max(0, (100 * start) / length))}%`;
    element.style.width = `${Math.max(0, (100 * (Math.min(end, length) - Math.max(start, 0))) / length)}%`;
    return element;
  };
  const line = (label, name, span, length, said) => {
    const track = make("span", "track", span ? bar(name, span[0], span[1], length) : null);
    track.setAttribute("aria-hidden", "true");
    return make("div", "line", make("span", "", label), track, make("span", "", said));
  };
  const timeline = (item) => {
    const ends = item.answers.filter(Array.isArray).map((answer) => answer[1]);
    const length = item.duration || Math.max(item.span[1], ...ends);
    const rows = [line("truth", "truth", item.span, length, `${seconds(item.span[0])}–${seconds(item.span[1])} s`)];
    data.models.forEach((model, place) => {
      const answer = item.answers[place];
      const span = Array.isArray(answer) ? answer : null;
      const said = span
        ? `${seconds(span[0])}–${seconds(span[1])} s, IoU ${span[2].toFixed(2)}`
        : answer === "!" ? "invalid answer" : "no answer";
      rows.push(line(model, "", span, length, said));
    });
    return make("div", "", ...rows);
  };
  const card = (item) => {
    const where = `${item.stage.toUpperCase()} · ${data.countries[item.country] || item.country} · ${item.category}`;
    const head = make("h3", "", item.id, make("span", "", ` · ${where}`));
    if (item.stage === "s3") {
      const length = item.duration ? `, ${seconds(item.duration)} s long` : "";
      return make("article", "item", head, make("p", "", `${item.name}: ${item.cue}`),
        make("p", "who", "video ", linked(item.video, item.span[0], item.video), length), timeline(item));
    }
    return make("article", "item", head, make("p", "", data.texts[item.text]), choices(item),
      unplaced(item, "invalid answer", (answer) => answer === "!"),
      unplaced(item, "no answer", (answer) => answer === null));
  };
  const unplaced = (item, text, test) => {
    const names = who(item, test);
    return names ? make("p", "who", text, names) : null;
  };

  const show = () => {
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    at = Math.min(at, last);
    const part = found.slice(at * PAGE, (at + 1) * PAGE);
    document.getElementById("items").replaceChildren(...part.map(card));
    document.getElementById("found").textContent = `${found.length} of ${data.items.length} items (${data.mode} mode)`;
    document.getElementById("place").textContent = `page ${at + 1} of ${last + 1}`;
    document.getElementById("previous").disabled = at === 0;
    document.getElementById("next").disabled = at === last;
  };
  const filter = () => {
    const wanted = Object.fromEntries(["country", "category", "stage", "model", "answer"].map(
      (name) => [name, form.elements[name].value]));
    wanted.text = form.elements.text.value.trim().toLowerCase();
    found = data.items.filter((item, place) => matches(item, place, wanted));
    at = 0;
    show();
  };
  const turn = (by) => {
    at += by;
    show();
    document.getElementById("browser").scrollIntoView();
  };

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  document.getElementById("previous").addEventListener("click", () => turn(-1));
  document.getElementById("next").addEventListener("click", () => turn(1));
  form.hidden = false;
  filter();
})();
