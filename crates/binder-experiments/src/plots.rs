//! Line and bar charts as SVG. The viewer lays out the text, so no font is needed here.

use std::io;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;

use crate::Error;
use crate::stats::Stats;

/// One chart of lines.
pub(crate) struct LinePanel {
    pub(crate) title: String,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    /// The names of x = 0, 1, 2 …; empty if x is a plain number.
    pub(crate) ticks: Vec<String>,
    pub(crate) lines: Vec<Line>,
}

pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

impl Line {
    /// A line with a point at each tick.
    pub(crate) fn over_ticks(name: &str, scores: &[Stats]) -> Self {
        let point = |(x, score): (u32, &Stats)| Point { x: x.into(), y: score.mean, sd: score.sd };
        Self { name: name.to_owned(), points: (0..).zip(scores).map(point).collect() }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The length of the error bar up and down.
    pub(crate) sd: f64,
}

/// One chart of groups of bars.
pub(crate) struct BarPanel {
    pub(crate) title: String,
    pub(crate) y_label: &'static str,
    pub(crate) groups: Vec<&'static str>,
    /// A name, and for each group a value if it has one.
    pub(crate) series: Vec<(String, Vec<Option<f64>>)>,
}

/// Colours that colour-blind readers can tell apart, in print too (Okabe & Ito).
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(140, 140, 140),
];

pub(crate) const FONT: &str = "sans-serif";
/// Width and height of a line panel in pixels.
const PANEL: (u32, u32) = (460, 320);
/// Width and height of a bar panel, which needs room for the names of its groups.
const BAR_PANEL: (u32, u32) = (860, 320);

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The result of drawing something.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Draws on white and returns the SVG.
pub(crate) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<String, Error> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = area.fill(&WHITE).and_then(|()| draw(&area)).and_then(|()| area.present());
    // The text is complete when its area is gone.
    drop(area);
    drawn.map(|()| text).map_err(|error| Error::Drawing(error.to_string()))
}

/// Line panels, row by row.
pub(crate) fn lines(panels: &[LinePanel], columns: usize) -> Result<String, Error> {
    let rows = panels.len().div_ceil(columns);
    svg((pixels(PANEL.0, columns), pixels(PANEL.1, rows)), |area| {
        let areas = area.split_evenly((rows, columns));
        areas.iter().zip(panels).try_for_each(|(area, panel)| line_panel(area, panel))
    })
}

/// The length of so many panels in a row or column.
#[expect(clippy::cast_possible_truncation, reason = "a few panels")]
pub(crate) fn pixels(panel: u32, count: usize) -> u32 {
    panel * count as u32
}

fn line_panel(area: &Area<'_>, panel: &LinePanel) -> Drawn {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
    let x = match panel.ticks.len() {
        0 => range(points().map(|p| p.x)),
        // Half a step of room keeps the outer ticks off the edge.
        ticks => -0.5..ticks as f64 - 0.5,
    };
    let y = range(points().flat_map(|p| [p.y - p.sd, p.y + p.sd]));
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 16))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    let tick = |x: &f64| tick(*x, &panel.ticks);
    mesh.x_desc(panel.x_label)
        .y_desc(panel.y_label)
        .label_style((FONT, 12))
        .light_line_style(WHITE);
    mesh.y_label_formatter(&|y| short(*y)).x_label_formatter(&tick);
    // Ask for four labels a step, so that every named tick gets one. Those between stay blank.
    mesh.x_labels(if panel.ticks.is_empty() { 6 } else { 4 * panel.ticks.len() })
        .y_labels(6)
        .draw()?;
    for (line, colour) in panel.lines.iter().zip(COLOURS.iter().cycle()) {
        let path = line.points.iter().map(|point| (point.x, point.y));
        let drawn = chart.draw_series(LineSeries::new(path, colour.stroke_width(2)))?;
        drawn
            .label(&line.name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        let bars = line.points.iter().filter(|point| point.sd > 0.0);
        chart.draw_series(
            bars.map(|p| PathElement::new([(p.x, p.y - p.sd), (p.x, p.y + p.sd)], colour)),
        )?;
        if !panel.ticks.is_empty() {
            chart.draw_series(
                line.points.iter().map(|p| Circle::new((p.x, p.y), 3, colour.filled())),
            )?;
        }
    }
    key(&mut chart, SeriesLabelPosition::LowerRight)
}

/// The key: which line or bar is which.
fn key<'a>(chart: &mut Chart<'a, 'a>, place: SeriesLabelPosition) -> Drawn {
    let mut labels = chart.configure_series_labels();
    labels
        .position(place)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .label_font((FONT, 12));
    labels.draw()
}

/// From the least value to the greatest, with a little room; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return 0.0..1.0;
    }
    let room = ((high - low) * 0.05).max(1e-3);
    low - room..high + room
}

/// The name of x if it is a tick, or the number if ticks have no names.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a small whole number"
)]
fn tick(x: f64, ticks: &[String]) -> String {
    if ticks.is_empty() {
        return short(x);
    }
    let whole = x >= -1e-9 && (x - x.round()).abs() < 1e-9;
    ticks.get(x.round().max(0.0) as usize).filter(|_| whole).cloned().unwrap_or_default()
}

/// 1.2 M for 1200000.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 1e9 => format!("{} G", trimmed(value / 1e9)),
        v if v >= 1e6 => format!("{} M", trimmed(value / 1e6)),
        v if v >= 1e4 => format!("{} k", trimmed(value / 1e3)),
        _ => trimmed(value),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bar panels, one below the other.
pub(crate) fn bars(panels: &[BarPanel]) -> Result<String, Error> {
    svg((BAR_PANEL.0, pixels(BAR_PANEL.1, panels.len())), |area| {
        let areas = area.split_evenly((panels.len(), 1));
        areas.iter().zip(panels).try_for_each(|(area, panel)| bar_panel(area, panel))
    })
}

#[expect(clippy::cast_precision_loss, reason = "a few groups and bars")]
fn bar_panel(area: &Area<'_>, panel: &BarPanel) -> Drawn {
    let groups = panel.groups.len() as f64;
    let width = 0.8 / panel.series.len().max(1) as f64;
    // The key goes to the right of the bars.
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 16))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(56)
        .build_cartesian_2d(-0.5..groups * 1.25 - 0.5, 0.0..105.0)?;
    let names: Vec<String> = panel.groups.iter().map(|&name| name.to_owned()).collect();
    let tick = |x: &f64| tick(*x, &names);
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().y_desc(panel.y_label).label_style((FONT, 12)).light_line_style(WHITE);
    mesh.x_label_formatter(&tick).x_labels(4 * panel.groups.len()).draw()?;
    for (index, ((name, values), colour)) in
        panel.series.iter().zip(COLOURS.iter().cycle()).enumerate()
    {
        let left = |group: usize| group as f64 - 0.4 + width * index as f64;
        let bars = values.iter().enumerate().filter_map(|(group, value)| {
            let value = (*value)?;
            Some(Rectangle::new(
                [(left(group), 0.0), (left(group) + width * 0.9, value)],
                colour.filled(),
            ))
        });
        let drawn = chart.draw_series(bars)?;
        drawn
            .label(name)
            .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    key(&mut chart, SeriesLabelPosition::MiddleRight)
}
